"""The Python package: python3 -m unittest, with the built module beside the package or installed."""

import gc
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree

import numpy
import reeve

ROOT = pathlib.Path(__file__).resolve().parents[2]


def winch(**settings):
    scene = reeve.Scene("winch", settings={"dt": "1/240 s", "gravity": [0, 0, -10], **settings})
    scene.body("load", position=[0.2, 0, 1], mass="100 kg", inertia=(4, 4, 4))
    scene.rotor("drum", position=numpy.array([0, 0, 4.0]), radius="20 cm", inertia=0.4, friction=1e-9)
    scene.motor("winch", on="drum", drive="velocity")
    scene.cable("rope", route=[reeve.link("spool", on="drum", stored=3), reeve.link(on="load")])
    return scene


class Scenes(unittest.TestCase):
    def test_keyword_arguments_take_units_and_arrays(self):
        world = winch().build()
        self.assertEqual(world.parameter("bodies.load.mass").declared, 100)
        self.assertIn("'winch'", repr(world))
        self.assertIn('"radius": "20 cm"', winch().text())

    def test_an_unknown_field_is_named_with_what_was_meant(self):
        with self.assertRaisesRegex(TypeError, "no field 'postion'; did you mean 'position'"):
            reeve.Scene().body("a", postion=[0, 0, 0])
        with self.assertRaisesRegex(TypeError, "needs 'on'"):
            reeve.Scene().motor("m")
        with self.assertRaisesRegex(TypeError, "cannot hold <object"):
            reeve.Scene().body("a", mass=object())

    def test_a_bad_value_raises_with_path_reason_and_remedy(self):
        with self.assertRaises(reeve.Error) as caught:
            reeve.Scene().body("a", mass=-1, inertia=[1, 1, 1]).build()
        self.assertEqual(caught.exception.path, "/bodies/a/mass")
        self.assertTrue(caught.exception.reason)
        for bad in (float("nan"), float("inf")):
            with self.assertRaisesRegex(reeve.Error, "mass"):
                reeve.Scene().body("a", mass=bad, inertia=[1, 1, 1]).build()
        with self.assertRaisesRegex(reeve.Error, "no-such.json"):
            reeve.load("no-such.json")

    def test_docstrings_and_stubs_come_from_the_fields(self):
        self.assertIn("mass: number [kg]", reeve.Scene.body.__doc__)
        from reeve import stubs

        for file, text in (("scene.pyi", stubs.text()), ("_reeve.pyi", stubs.module_text())):
            committed = (ROOT / "python" / "reeve" / file).read_text(encoding="utf-8")
            self.assertEqual(text, committed, "write it again: python3 -m reeve.stubs python/reeve")
            compile(committed, file, "exec")
        self.assertIn("def command(self, target: float, gain: Optional[float] = None, limit: Optional[float] = None) -> None:", committed)
        for kind in (reeve.World, reeve.Body, reeve.Joint, reeve.Cable, reeve.Batch):
            for name, value in vars(kind).items():
                if not name.startswith("_"):
                    self.assertIn(f"def {name}(self", committed)


class Control(unittest.TestCase):
    def test_a_commanded_winch_lifts_by_what_it_winds_on(self):
        world = winch().build()
        world.motor("winch").command(-2.0)
        self.assertEqual(world.step(240), 240)
        self.assertAlmostEqual(world.body("load").position[2], 1.4, 7)
        self.assertAlmostEqual(world.tensions[0], 1000.0, 4)
        self.assertAlmostEqual(world.length_rates[0], -0.4, 6)
        self.assertAlmostEqual(world.motor_powers[0], 400.0, 4)

    def test_tensions_are_right_before_the_first_step(self):
        world = winch().build()
        self.assertAlmostEqual(world.tensions[0], 1000.0, 6)
        self.assertEqual(world.steps, 0)

    def test_arrays_are_live_views_and_read_only(self):
        world = winch().build()
        positions = world.positions
        self.assertFalse(positions.flags.owndata)
        self.assertFalse(positions.flags.writeable)
        place = world.names("positions").index("bodies.load.center.z")
        world.motor("winch").command(-2.0)
        world.step(10)
        self.assertEqual(positions[place], world.read("bodies.load.position.z"))
        saved = world.save()
        world.step(10)
        world.restore(saved)
        self.assertEqual(positions[place], world.read("bodies.load.position.z"))
        self.assertEqual(len(world.names("velocities")), len(world.velocities))
        del world
        gc.collect()
        self.assertGreater(positions[place], 1.0)  # the view keeps the world

    def test_arrays_go_by_dlpack_without_a_copy(self):
        world = winch().build()
        positions = world.positions
        shared = numpy.from_dlpack(positions)
        self.assertEqual(shared.ctypes.data, positions.ctypes.data)
        world.motor("winch").command(-2.0)
        world.step(10)
        numpy.testing.assert_array_equal(shared, positions)
        self.assertIs(type(positions * 2.0), numpy.ndarray)
        self.assertIs(type(positions.sum()), numpy.float64)
        self.assertEqual(memoryview(positions).readonly, True)
        with self.assertRaises(ValueError):
            positions[0] = 1.0
        bound = reeve.Batch(winch(), 3).bind("bodies.load.position")
        self.assertEqual(numpy.from_dlpack(bound[:, 2]).tolist(), [1.0, 1.0, 1.0])
        numpy.testing.assert_array_equal(pickle.loads(pickle.dumps(positions)), positions)

    def test_several_changes_are_made_together_or_none_of_them(self):
        world = winch().build()
        load, drum = world.body("load"), world.rotor("drum")
        lower = reeve.Edit().body(load, position=[0.2, 0, 0.5])
        with self.assertRaisesRegex(reeve.Error, "rope"):
            world.apply(lower)
        self.assertEqual(load.position[2], 1.0)
        world.apply(lower.rotor(drum, 2.5))  # pays out 0.5 m
        self.assertEqual(load.position[2], 0.5)
        self.assertAlmostEqual(world.read("cables.rope.stored"), 2.5, 9)
        world.apply(reeve.Edit().body(load, velocity=[0, 0, 1]), fit="project")
        double = reeve.load(ROOT / "scenes" / "double-pendulum.json")
        with self.assertRaisesRegex(reeve.Error, "another scene"):
            double.apply(lower)

    def test_a_cable_is_cut_and_a_released_joint_hooks_on(self):
        scene = reeve.Scene(settings={"gravity": [0, 0, -10], "dt": 0.01})
        scene.body("load", mass=1, inertia=[1, 1, 1], position=[0, 0, -1])
        scene.cable("rope", route=[reeve.link(), reeve.link(on="load")])
        scene.joint("grip", type="fixed", a="world", b="load", anchor=[0, 0, -1])
        world = scene.build()
        grip = world.joint("grip")
        grip.release()
        world.cable("rope").cut(0)
        world.step(10)
        self.assertAlmostEqual(world.body("load").velocity[2], -1.0, 6)
        where = world.body("load").position[2]
        grip.hook()
        world.step(20)
        self.assertAlmostEqual(world.body("load").position[2], where, 6)

    def test_a_view_outlives_what_a_conversion_replaces(self):
        scene = reeve.Scene(settings={"dt": "1/240 s"})
        scene.body("load", mass=10, inertia=[0.1, 0.1, 0.1], position=[2, 0, -3])
        scene.cable("rope", route=[reeve.link(), reeve.link(on="load")], material={"mass": 0.1, "axial": 1e6}, weight=True)
        world = scene.build()
        old, tensions = world.positions, world.tensions
        for model in ("chain", "strand", "joints"):
            world.cable("rope").convert(model)
            world.step(2)
        world.reset()
        self.assertTrue(numpy.isfinite(old).all() and len(tensions) == 1)

    def test_another_thread_that_asks_for_a_busy_world_gets_an_error(self):
        world = reeve.load(ROOT / "scenes" / "crane.json")
        clone, refused = world.clone(), []
        stepping = threading.Thread(target=lambda: world.step(4000))
        stepping.start()
        while stepping.is_alive() and len(refused) < 20:
            for ask in (lambda: world.tensions, lambda: clone.step(), lambda: world.body("hook"), lambda: world.hash):
                try:
                    ask()
                except reeve.Error as error:
                    self.assertIn("another thread", error.reason)
                    refused.append(error)
        stepping.join()
        self.assertGreater(len(refused), 0)
        self.assertEqual(clone.step(), 1)
        batch = reeve.Batch(winch(), 50, threads=2)
        stepping = threading.Thread(target=lambda: batch.step(count=2000))
        stepping.start()
        seen = 0
        while stepping.is_alive():
            try:
                batch[3].hash
                batch.forward()
            except reeve.Error as error:
                self.assertIn("another thread", error.reason)
                seen += 1
        stepping.join()
        self.assertGreater(seen, 0)

    def test_ctrl_c_ends_a_long_call_of_step(self):
        text = winch().text()
        for call in ("reeve.loads(TEXT).step(10**9)", "reeve.Batch(TEXT, 4).step(count=10**9)"):
            program = f"""
import reeve, signal, sys, threading, os
TEXT = {text!r}
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of a shell in the background ignores it
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    sys.exit(7)
"""
            here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
            self.assertEqual(subprocess.run([sys.executable, "-c", program], env=here, timeout=60).returncode, 7, call)

    def test_errors_of_the_package_have_their_three_parts(self):
        with self.assertRaises(reeve.Error) as caught:
            reeve.load("no-such.json")
        self.assertEqual(caught.exception.path, "no-such.json")
        self.assertTrue(caught.exception.remedy)
        env = reeve.env.Env(winch(), ["bodies.load.position.z"], lambda world: 0.0)
        with self.assertRaises(reeve.Error) as caught:
            env.step([1.0, 2.0])
        self.assertEqual(caught.exception.path, "action")

    def test_bad_use_raises_and_names_it(self):
        world = winch().build()
        other = reeve.Scene().body("a", mass=1, inertia=[1, 1, 1]).build()
        double = reeve.load(ROOT / "scenes" / "double-pendulum.json")
        hinge = double.names("coordinates")[0].split(".")[1]
        cases = [
            (lambda: world.motor("winhc"), "choose one of: winch"),
            (lambda: world.motor("winch").command(float("nan")), "not a number"),
            (lambda: world.body("load").push(force=[1, 2]), "three numbers"),
            (lambda: world.body("load").push(force="abc"), "three numbers"),
            (lambda: world.parameter("rotors.drum.radius"), "cannot change"),
            (lambda: world.read("bodies.load.speed"), "measurable"),
            (lambda: world.names("tension"), "no array"),
            (lambda: world.body("load").set(position=[0, 0, 0]), "would be off by"),
            (lambda: world.body("load").set(position=[0, 0, 0], fit="maybe"), "project"),
            (lambda: setattr(world, "state", other.state), "another scene"),
            (lambda: world.step(-1), "negative"),
            (lambda: world.cable("rope").moment_arm(double.joint(hinge)), "another (scene|world)"),
            (lambda: world.body("load").push(force=numpy.zeros((2, 3))), "three numbers"),
            (lambda: world.body("load").push(force=[float("inf"), 0, 0]), "force"),
            (lambda: reeve.Batch(winch().text(), 2).step(mask=[[True, False]]), "mask"),
        ]
        for call, words in cases:
            with self.assertRaisesRegex(reeve.Error, words):
                call()

    def test_states_compare_hash_and_pickle(self):
        world = winch().build()
        world.motor("winch").command(-1.0)
        world.step(20)
        state = world.state
        again = pickle.loads(pickle.dumps(state))
        self.assertEqual(state, again)
        self.assertEqual(hash(state), hash(again))
        world.step(20)
        self.assertNotEqual(world.state, state)
        end = world.hash
        world.state = again
        world.step(20)
        self.assertEqual(world.hash, end)
        clone = world.clone()
        clone.step(5)
        world.step(5)
        self.assertEqual(clone.hash, world.hash)
        world.reset()
        self.assertEqual(world.time, 0.0)

    def test_moment_arms_are_the_gradient_of_the_length(self):
        world = winch().build()
        rope = world.cable("rope")
        arms = dict(zip(world.names("velocities"), rope.moment_arms()))
        self.assertAlmostEqual(arms["bodies.load.velocity.z"], -1.0, 12)
        self.assertAlmostEqual(abs(arms["rotors.drum.rate"]), 0.2, 12)

    def test_parameters_change_without_building_again(self):
        world = winch().build()
        mass = world.parameter("bodies.load.mass")
        mass.value = 50.0
        world.step(5)
        self.assertAlmostEqual(world.tensions[0], 500.0, 5)
        with self.assertRaises(reeve.Error):
            mass.value = -1.0


class Same(unittest.TestCase):
    def test_the_pid_has_the_trajectory_of_the_program_in_cpp(self):
        program = next((p for p in (ROOT / "build" / "release" / "bin", ROOT / "build" / "fast" / "bin") if (p / "example_pid_winch").exists()), None)
        if program is None:
            self.skipTest("example_pid_winch is not built")
        native = subprocess.run([program / "example_pid_winch"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        script = ROOT / "python" / "examples" / "pid_winch.py"
        here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        ours = subprocess.run([sys.executable, script], cwd=ROOT, env=here, capture_output=True, text=True, check=True).stdout
        self.assertEqual(ours, native)


class Robot(unittest.TestCase):
    def test_eight_cables_carry_a_platform_round_a_circle_by_resolved_tensions(self):
        sys.path.insert(0, str(ROOT / "python" / "examples"))
        import cable_robot

        error, tensions = cable_robot.run(2.0)
        self.assertLess(error[len(error) // 2 :].max(), 1e-3)  # m
        self.assertGreater(tensions.min(), 4.0)  # N: none goes slack
        from reeve.plotting import svg

        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "robot.svg"
            svg(file, numpy.arange(len(error)) * cable_robot.DT, [("error, mm", error * 1e3), ("tensions, N", tensions)])
            root = xml.etree.ElementTree.parse(file).getroot()
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 9)


class Rest(unittest.TestCase):
    def test_a_load_on_a_stretchy_rope_rests_and_bounces_as_it_should(self):
        scene = reeve.Scene(settings={"gravity": [0, 0, -10]}).particle("load", mass=50, position=[0, 0, -4])
        scene.cable("rope", route=[reeve.link(), reeve.link(on="load")], material={"axial": 1e5})
        world = scene.build()
        self.assertLess(world.equilibrium()["share"], 1e-9)
        self.assertAlmostEqual(world.particle("load").position[2], -4.02, 9)
        bounce = world.modes()[-1]
        self.assertAlmostEqual(bounce["frequency"], (1e5 / 4 / 50) ** 0.5 / (2 * numpy.pi), 5)
        matrices = world.linearise()
        self.assertEqual(matrices["A"].shape, (6, 6))
        rest = reeve.Scene(settings={"gravity": [0, 0, -10]})
        rest.body("rod", mass=1, inertia=[0.09, 0.09, 0.01], position=[0, 0, 0.5])
        rest.joint("pin", type="hinge", a="world", b="rod", anchor=[0, 0, 0], axis=[0, 1, 0])
        balanced = rest.build()  # upright: at rest, and not stable
        self.assertEqual(balanced.equilibrium()["loose"], [])
        self.assertAlmostEqual(balanced.body("rod").position[2], -0.5, 8)
        with self.assertRaisesRegex(reeve.Error, "no state of rest"):
            reeve.Scene().body("stone", mass=1, inertia=[1, 1, 1]).build().equilibrium()


class Linear(unittest.TestCase):
    def test_a_pendulum_as_a_linear_system_steps_as_the_world_does(self):
        scene = reeve.Scene(settings={"gravity": [0, 0, -10], "dt": 0.01, "tolerance": 1e-13})
        scene.body("bob", mass=2, inertia=[0.3, 0.3, 0.3], position=[0, 0, -1])
        scene.joint("hinge", type="hinge", a="world", b="bob", anchor=[0, 0, 0], axis=[0, 1, 0])
        world = scene.build()
        out = ["bodies.bob.position.x"]
        system = world.linearise(inputs=["bodies.bob.force.x"], outputs=out)
        self.assertAlmostEqual(system["A"][1, 0], -20 / 2.3, 9)
        world.step(3)
        push, step = 1e-3, system["step"]
        x, before, u = numpy.zeros(2), numpy.zeros(2), push
        world.body("bob").push(force=[push, 0, 0])
        for n in range(20):
            later = step["now"] @ x + step["before"] @ before + step["input"][:, 0] * u
            later += step["input_before"][:, 0] * (push if n == 1 else 0)
            x, before, u = later, x, 0.0
            world.step()
            self.assertAlmostEqual((system["C"] @ x)[0] / world.read(out[0]), 1.0, 6)
        with self.assertRaisesRegex(reeve.Error, "no such input"):
            world.linearise(inputs=["bodies.nobody.force.x"])
        self.assertEqual(len(reeve.Batch(scene.text(), 3).linearise(["bodies.bob.force.x"], out)), 3)

    def test_a_gantry_is_led_by_the_gains_of_its_linear_system(self):
        sys.path.insert(0, str(ROOT / "python" / "examples"))
        import gantry_lqr

        places = gantry_lqr.run(12.0)
        self.assertLess(places[:, 0].max(), 2.01)  # m
        self.assertLess(abs(places[-200:, 0] - 2.0).max(), 5e-3)  # and it does not swing

    def test_extremes_of_a_run_are_those_of_its_samples(self):
        world = winch().build()
        world.motor("winch").command(-2.0)
        seen = reeve.Extremes(world, ["cables.rope.spans.0.tension", "bodies.load.position.z"])
        self.assertTrue(numpy.isnan(seen.largest).all())
        tensions, heights = [], []
        for _ in range(50):
            self.assertEqual(seen.step(), 1)
            tensions.append(world.tensions[0])
            heights.append(world.read("bodies.load.position.z"))
        numpy.testing.assert_allclose(seen.largest, [max(tensions), max(heights)])
        numpy.testing.assert_allclose(seen.smallest, [min(tensions), min(heights)])
        numpy.testing.assert_allclose(seen.mean, [numpy.mean(tensions), numpy.mean(heights)])
        numpy.testing.assert_allclose(seen.rms, [numpy.mean(numpy.square(x)) ** 0.5 for x in (tensions, heights)])
        self.assertAlmostEqual(seen.at[1], world.time, 12)
        with self.assertRaisesRegex(reeve.Error, "measurable"):
            reeve.Extremes(world, ["bodies.load.speed"])


class Fuzz(unittest.TestCase):
    def test_calls_at_random_do_not_crash_the_interpreter(self):
        seconds = "600" if os.environ.get("REEVE_SOAK") else "4"
        script = ROOT / "python" / "tests" / "fuzz_calls.py"
        here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        done = subprocess.run([sys.executable, script, seconds], env=here, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])


class Batches(unittest.TestCase):
    def test_a_batch_equals_single_worlds_on_any_number_of_threads(self):
        text = (ROOT / "scenes" / "pulley.json").read_text(encoding="utf-8")
        single = reeve.loads(text)
        single.step(50)
        for threads in (1, 2, 3):
            batch = reeve.Batch(text, 5, threads)
            batch.step(count=50)
            self.assertEqual(set(batch.hashes), {single.hash})

    def test_a_world_of_a_batch_is_a_world(self):
        batch = reeve.Batch(winch(), 3)
        heights = batch.bind("bodies.load.position.z")
        one = batch[-1]
        one.motor("winch").command(-2.0)
        one.step(24)
        batch.forward()
        self.assertAlmostEqual(heights[2, 0], 1.04, 7)
        self.assertEqual(heights[0, 0], 1.0)
        one.state = batch[0].state
        self.assertEqual(len(set(batch.hashes)), 1)
        for bad in (3, -4):
            with self.assertRaises(IndexError):
                batch[bad]
        with self.assertRaisesRegex(reeve.Error, "no scene"):
            reeve.Batch(7, 3)
        del batch, heights
        gc.collect()
        self.assertEqual(one.step(), 1)  # the world keeps its batch

    def test_masks_commands_and_expanded_numbers(self):
        batch = reeve.Batch(winch().text(), 3)
        heights, commands = batch.bind("bodies.load.position"), batch.bind("commands")
        self.assertEqual(heights.shape, (3, 3))
        commands[:] = [[-1.0], [-2.0], [-3.0]]
        for _ in range(24):
            batch.step(mask=[True, True, False])
        self.assertAlmostEqual(heights[0, 2], 1.02, 7)
        self.assertAlmostEqual(heights[1, 2], 1.04, 7)
        self.assertEqual(heights[2, 2], 1.0)
        batch.expand("bodies.load.mass", [50, 100, 200])
        tensions = batch.bind("tensions")
        commands[:] = 0.0
        batch.reset()
        batch.step(count=5)
        numpy.testing.assert_allclose(tensions[:, 0], [500, 1000, 2000], rtol=1e-6)
        commands[:] = -1.0
        batch.step()
        batch.reset([True, False, False])
        self.assertEqual(heights[0, 2], 1.0)
        self.assertNotEqual(heights[1, 2], 1.0)
        for bad in (lambda: batch.step(mask=[True]), lambda: batch.expand("bodies.load.mass", [1]), lambda: batch.bind("nothing")):
            with self.assertRaises(reeve.Error):
                bad()
        with self.assertRaises(ValueError):
            heights[0, 0] = 1.0


class Environments(unittest.TestCase):
    def test_env_and_vector_env_agree(self):
        observe = ["bodies.load.position.z", "bodies.load.velocity.z"]
        env = reeve.env.Env(winch(), observe, lambda world: world.read("bodies.load.position.z"), steps=4, horizon=5)
        many = reeve.env.VectorEnv(winch(), 2, observe, lambda seen: seen[:, 0], steps=4, horizon=5, threads=2)
        env.reset(seed=3)
        many.reset(seed=3)
        self.assertTrue(env.action_space.contains(env.action_space.sample()))
        for i in range(5):
            one = env.step([-0.5])
            all_ = many.step([[-0.5], [-0.25]])
            self.assertEqual(one[1], all_[1][0])
        self.assertTrue(one[3] and all_[3].all())
        numpy.testing.assert_array_equal(all_[4]["final_observation"][0], one[0])
        numpy.testing.assert_array_equal(all_[0][:, 0], [1.0, 1.0])  # begun again
        with self.assertRaises(reeve.Error):
            many.step([[0.0]])


class Gymnasium(unittest.TestCase):
    def test_where_it_is_importable_spaces_are_its_own_and_environments_are_registered(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "gymnasium.py").write_text(
                """import numpy, types
class Env: pass
class Box:
    def __init__(self, low, high, dtype): self.low, self.high, self.dtype, self.shape = low, high, dtype, low.shape
spaces = types.SimpleNamespace(Box=Box)
known = {}
def register(id, entry_point): known[id] = entry_point
def make(id, **more): return known[id](**more)
"""
            )
            program = f"""
import gymnasium, reeve
assert issubclass(reeve.env.Env, gymnasium.Env)
reeve.env.register("winch-v0", scene={winch().text()!r}, observe=["bodies.load.position.z"], reward=lambda w: 0.0)
env = gymnasium.make("winch-v0", horizon=2)
assert isinstance(env.action_space, gymnasium.Box) and env.observation_space.shape == (1,)
env.reset(seed=1)
env.step([0.0])
assert env.step([0.0])[3]
"""
            here = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, *map(os.path.abspath, sys.path)])}
            done = subprocess.run([sys.executable, "-c", program], env=here, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


class Costs(unittest.TestCase):
    def test_threads_step_at_the_same_time(self):
        worlds = [reeve.load(ROOT / "scenes" / "pulley.json") for _ in range(2)]
        ran = []
        threads = [threading.Thread(target=lambda w=w: ran.append(w.step(500))) for w in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ran, [500, 500])
        self.assertEqual(worlds[0].hash, worlds[1].hash)

    def test_a_call_of_step_costs_less_than_a_microsecond_more(self):
        world = reeve.Scene(settings={"dt": 0.01}).body("a", mass=1, inertia=[1, 1, 1], gravity=False).build()
        world.step(1000)

        def best(work):
            times = []
            for _ in range(15):
                begun = time.process_time()  # others may be busy too
                work()
                times.append(time.process_time() - begun)
            return min(times)

        many = best(lambda: world.step(5000))
        step = world.step

        def single():
            for _ in range(5000):
                step()

        self.assertLess((best(single) - many) / 5000, 1e-6)

    def test_worlds_that_are_dropped_leave_nothing(self):
        text = reeve.Scene().body("a", mass=1, inertia=[1, 1, 1]).text()

        def build(count):
            for _ in range(count):
                reeve.loads(text).body("a").push(force=[1, 0, 0])

        build(500)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        build(100000 if os.environ.get("REEVE_SOAK") else 3000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2000)  # kB; a world has tens


if __name__ == "__main__":
    unittest.main()
