#!/bin/sh
# command_test.sh REEVE SCENES SECTION: tries the reeve command as a shell sees it. Exit code 0 if all is as promised
# in docs/command.md, 77 if the machine lacks something that the section needs.
set -u
reeve=$1
REEVE_SCENES=$2
export REEVE_SCENES
section=$3
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $1"
  sed 's/^/  out: /' out | head -20
  sed 's/^/  err: /' err | head -20
  failures=$((failures + 1))
}

# expect CODE ARGUMENTS...: runs reeve and compares the exit code. Output goes to the files out and err.
expect() {
  wanted=$1
  shift
  "$reeve" "$@" >out 2>err
  got=$?
  [ "$got" -eq "$wanted" ] || fail "reeve $*: exit code $got, wanted $wanted"
}
in_out() { grep -q -- "$1" out || fail "standard output lacks: $1"; }
in_err() { grep -q -- "$1" err || fail "standard error lacks: $1"; }
silent_err() { [ ! -s err ] || fail "standard error is not empty"; }

cat >free.json <<'SCENE'
{
  "reeve": 1,
  "name": "free fall",
  "settings": {"dt": 0.01, "seconds": 1},
  "bodies": {"stone": {"mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 5]}},
  "expect": [{"at": "end", "observe": "bodies.stone.position.z", "equals": 0.095, "within": 0.1}],
  "plots": [{"title": "Height", "observe": ["bodies.stone.position.z"], "unit": "m"}]
}
SCENE
sed 's/"equals": 0.095/"equals": 3/' free.json >wrong.json
# Nothing accelerates for long at 1e8 m/s²: it leaves the bounds, which is what "went bad" means.
sed 's/"seconds": 1}/"seconds": 1, "gravity": [0, 0, -1e8]}/' free.json >bad.json
# Floats for ever, so that it can run for long.
sed -e 's/"seconds": 1}/"seconds": 1e6, "gravity": [0, 0, 0]}/' -e '/"expect"/d' free.json >long.json

options() {
  expect 0 --version && in_out '^reeve [0-9]'
  expect 0 --help && in_out 'Examples:' && in_out 'Exit codes'
  for command in run check expect list picture film schema; do expect 0 "$command" --help; done
  expect 2
  expect 2 pictuer && in_err 'picture'
  expect 2 run
  expect 2 run free.json --solver magic
  expect 2 run free.json --dt 0
  expect 2 run free.json --dt -1
  expect 2 run free.json --dt "3 kg" && in_err 'help:'
  expect 2 run free.json --seconds nan
  expect 2 run free.json --substeps 0
  expect 2 run free.json --every 0
  expect 0 run free.json --dt .02 --seconds +1. --json && in_out '"dt": 0.02,'
  expect 2 run free.json --dt . && in_err 'help:'
  expect 2 run free.json --sconds 3 && in_err 'did you mean "--seconds"'
  # Another value of the scene: replaced, added, with a unit, on every command; a slip of the pen is named.
  expect 0 run free.json --set bodies.stone.mass=2t --json && in_out '"potential": '
  expect 0 run free.json --set settings.gravity='[0,0,0]' --json && in_out '"position": \[0, 0, 5\]'
  expect 0 check free.json --set settings.solver=sweep --set bodies.stone.drag=0.1
  expect 0 picture free.json --set view.height=3 -o - && in_out '</svg>'
  expect 2 run free.json --set bodies.stoen.mass=1 && in_err 'did you mean "stone"'
  expect 2 run free.json --set bodies.stone.mass && in_err 'path=value'
  expect 2 run free.json --set bodies.stone.masss=1 && in_err 'has no field "masss"'
  sed -e 's/"position": \[0, 0, 5\]/"position": [0, 0, "h + 1 m"]/' -e 's/"reeve": 1,/"reeve": 1, "parameters": {"h": "4 m"},/' free.json >named.json
  expect 0 run named.json --set h=400cm --json && in_out '"position": \[0, 0, 0\.0' 
  expect 2 run named.json --set parameters.hh=1 && in_err 'did you mean "h"'
  expect 0 run free.json --dt 1/50 --seconds "500 ms" --substeps 2 --solver sweep --iterations 5 --seed 7
  expect 0 list && in_out '^double-pendulum  '
  expect 0 schema && in_out '"\$schema"'
}

errors() {
  # What check remarks without refusing: bodies inside each other, steps too long for a rope; numbers of spans that are not there.
  cat >inside.json <<'SCENE'
{"settings": {"dt": 0.01}, "bodies": {
   "a": {"mass": 1, "shapes": [{"type": "box", "size": [1, 1, 1]}]}, "b": {"mass": 1, "position": [0.6, 0.1, 0.2], "shapes": [{"type": "box", "size": [1, 1, 1]}]}},
 "cables": {"rope": {"route": [{"type": "attach", "point": [0, 0, 2]}, {"type": "attach", "on": "a", "point": [0, 0, 0.5]}], "material": {"axial": "1 MN"}}}}
SCENE
  expect 0 check inside.json && in_out 'bodies.a: starts 0.4 m inside "b"' && in_out 'swings along it in 0.0077 s, and a step takes 0.01 s'
  sed 's/\[0.6, 0.1, 0.2\]/[1.6, 0.1, 0.2]/' inside.json >apart.json
  expect 0 check apart.json --dt 0.001 && [ "$(wc -l <out)" -eq 1 ] || fail 'a note without a reason'
  sed 's/"settings"/"expect": [{"at": 1, "observe": "cables.rope.spans.7.tension", "equals": 1}, {"at": 1, "observe": "bodies.a.positon.z", "equals": 1}], "settings"/' inside.json >span7.json
  expect 2 check span7.json && in_err 'spans' && in_err 'help:' && in_err 'positon' && in_err '^2 problems'
  # A spring of 1 MN/m under 1 kg swings in 2 pi sqrt(1 kg / 1 MN/m) = 6.3 ms. A prism in the way of a rope is seen too.
  cat >stiff.json <<'SCENE'
{"settings": {"dt": 0.01}, "bodies": {"a": {"mass": 1, "shapes": [{"type": "box", "size": [1, 1, 1]}]},
   "wedge": {"motion": "static", "position": [0, 0, 1.2], "shapes": [{"type": "prism", "polygon": [[-1, -1], [1, -1], [0, 1]], "length": 0.2}]}},
 "joints": {"rail": {"type": "slider", "b": "a", "axis": [0, 0, 1], "stiffness": "1 MN/m"}},
 "cables": {"rope": {"route": [{"type": "attach", "point": [0, 0, 2]}, {"type": "attach", "on": "a", "point": [0, 0, 0.5]}]}}}
SCENE
  expect 0 check stiff.json && in_out 'joints.rail: what hangs on its spring swings in 0.0063 s' && in_out 'passes through "wedge"'
  expect 0 check stiff.json --observables && in_out '^bodies.a.position.z  0 m$' && in_out '^joints.rail.coordinate  0 m$' && in_out '^cables.rope.links.1.wrap  0 rad$'
  expect 2 run no-such-scene && in_err 'no such file'
  expect 2 run doubel-pendulum && in_err 'double-pendulum'
  expect 2 run . && in_err 'folder'
  expect 2 run /dev/null && in_err 'not a regular file'
  printf '{' >open.json
  expect 2 check open.json && in_err '^open.json:1:'
  sed 's/"mass": 1/"masss": 1/' free.json >typo.json
  expect 2 check typo.json && in_err '^typo.json:5:[0-9]*: /bodies/stone' && in_err '^help:'
  sed -e 's/"mass": 1/"masss": 1/' -e 's/"seconds": 1}/"duration": "1 s"}/' free.json >two.json
  expect 2 check two.json && in_err 'did you mean "seconds"' && in_err 'did you mean "mass"' && in_err '^2 problems'
  sed 's/stone.position.z", "equals"/stoen.position.z", "equals"/' free.json >path.json
  expect 2 check path.json && in_err '^path.json:6:[0-9]*: /expect/0/observe: '
  expect 2 run free.json --out free.json/sub && in_err 'folder'
  expect 2 run free.json --save-state nowhere/a.state
  expect 2 run free.json --from-state free.json
  expect 2 run free.json --from-state missing.state
  expect 2 picture free.json --from above-ish && in_err 'iso'
  expect 2 picture free.json --size big
  expect 2 picture free.json -o nowhere/a.svg
  if [ "$(id -u)" -ne 0 ]; then
    mkdir closed && chmod a-w closed
    expect 2 run free.json --out closed/out
    cp free.json secret.json && chmod a-r secret.json
    expect 2 run secret.json
  fi
}

results() {
  expect 0 run free.json && in_out 'stone' && in_out 'times real time' && in_out 'expectations' && in_out ' ok'
  expect 0 run wrong.json && in_out 'NOT OK' && in_err '1 of 1 expectations NOT OK'
  expect 0 run free.json --json && in_out '"hash": "[0-9a-f]\{16\}"'
  silent_err
  if command -v python3 >/dev/null; then
    python3 -c 'import json; d = json.load(open("out")); assert d["steps"] == 100 and d["bodies"]["stone"]["position"][2] < 1' ||
      fail 'the summary is not the JSON it should be'
  fi
  expect 0 run free.json --out result --every 10 && in_out 'result'
  for file in trajectory.csv routes.csv summary.json plots.svg picture.svg report.html scene.json final.state; do
    [ -s "result/$file" ] || fail "result/$file is missing"
  done
  [ "$(wc -l <result/trajectory.csv)" -eq 12 ] || fail 'trajectory: wanted a header and 11 samples'
  head -1 result/trajectory.csv | grep -q '^time,bodies.stone.position.x' || fail 'trajectory: no header of paths'
  expect 0 check result/scene.json
  grep -q 'ReevePlayer' result/report.html || fail 'the report has no player'
  expect 0 run free.json --html page.html --quiet && [ -s page.html ] || fail 'no page.html'
  grep -q "reeve run free.json --html page.html" page.html || fail 'the page does not tell its command'
  expect 0 run free.json --out narrow --columns 'bodies.*.position.z' && [ "$(head -1 narrow/trajectory.csv)" = 'time,bodies.stone.position.z' ] || fail 'columns'
  expect 0 run free.json --out narrow --columns 'bodies.*.position.z' --units && [ "$(head -1 narrow/trajectory.csv)" = 'time [s],bodies.stone.position.z [m]' ] || fail 'units'
  in_err 'the results of an earlier run there are replaced'
  expect 0 run free.json --out narrow --columns 'energy.applied' && [ "$(head -1 narrow/trajectory.csv)" = 'time,energy.applied' ] || fail 'a column that is in no trajectory by itself'
  expect 2 run free.json --out narrow --format npz --units && in_err 'belongs to the header of a CSV'
  expect 2 run free.json --out narrow --columns 'bodies.*.colour' && in_err 'nothing of this scene matches'
  expect 0 run free.json --out packed --format npz && [ -s packed/trajectory.npz ] || fail 'no trajectory.npz'
  if python3 -c 'import numpy' 2>/dev/null; then
    python3 -c 'import numpy; d = numpy.load("packed/trajectory.npz"); assert len(d["time"]) == 101 and d["bodies.stone.position.z"][0] == 5' || fail 'the archive is not what NumPy reads'
  fi
  expect 0 run - --json <free.json && in_out '"scene": "free fall"'
  expect 0 run double-pendulum --seconds 0.1
}

files() {
  # What is told where nothing can be written is told by the exit code too.
  if [ -w /dev/full ]; then
    for line in 'run free.json --json' 'picture free.json -o -' 'schema' 'list' 'check free.json'; do
      # shellcheck disable=SC2086  # words
      "$reeve" $line >/dev/full 2>err
      [ $? -eq 2 ] || fail "reeve $line to a full disk: not told"
    done
    : >out
    expect 2 run free.json --save-state /dev/full
  fi
  # No output takes the place of an input, by any of its names.
  cp free.json input.json && ln -s input.json other.json
  expect 0 run free.json --save-state in.state --quiet
  for line in '--html input.json' '--html other.json' '--save-state other.json' '--from-state in.state --save-state in.state' '--from-state in.state --html in.state'; do
    # shellcheck disable=SC2086
    expect 2 run input.json $line && in_err 'would be overwritten'
  done
  expect 2 picture input.json -o other.json && in_err 'would be overwritten'
  mkdir box && for name in scene.json summary.json report.html trajectory.csv; do
    cp free.json "box/$name" && expect 2 run "box/$name" --out box && in_err 'would be overwritten'
    rm "box/$name"
  done
  cmp -s free.json input.json || fail 'an input was changed'
  # The scene of a run can be run again, and gives the same bits.
  expect 0 run free.json --out first --quiet && expect 0 run first/scene.json --out second --quiet
  cmp -s first/trajectory.csv second/trajectory.csv || fail 'the scene of a run runs otherwise'
  # Whoever reads the words may have gone: the files are whole all the same, and it is told.
  ("$reeve" run free.json --out piped --json 2>err; echo $? >code) | true
  for file in trajectory.csv summary.json report.html final.state; do [ -s piped/$file ] || fail "closed pipe: piped/$file is missing"; done
  [ ! -e piped/unfinished ] || fail 'closed pipe: the run is marked as unfinished'
  case $(cat code) in 0 | 2 | 141) ;; *) fail "closed pipe: exit code $(cat code)" ;; esac
  # Memory is bounded: told, by words and by the exit code.
  cat >large.json <<'EOF2'
{"cables": {"rope": {"model": "particles", "segments": 900000, "material": {"mass": 0.1}, "route": [{"type": "attach"}, {"type": "attach", "point": [1, 0, 0]}]}}}
EOF2
  expect 2 run large.json --seconds 0.001 --memory 100MB --out large && in_err 'needs more than the --memory of 100 MB'
  [ ! -e large/summary.json ] || fail 'results of a run that had no memory'
  # What a run that was killed has left is cleared away, or moved into place where it was whole and half moved.
  mkdir -p first/unfinished && echo half >first/unfinished/trajectory.csv
  expect 0 run free.json --out first --quiet && in_err 'unfinished'
  [ ! -e first/unfinished ] || fail 'the mark of an unfinished run stays'
  mkdir -p first/unfinished && mv first/summary.json first/unfinished/ && printf 'trajectory.csv\nsummary.json\n' >first/unfinished/whole
  "$reeve" run long.json --time 0.3 --out first --quiet >out 2>err
  [ -s first/trajectory.csv ] && [ -s first/summary.json ] || fail 'what was half moved is lost'
  # The last good state of a bad run goes with the next good one; one that is being read stays as it is.
  expect 3 run bad.json --out badly --quiet && [ -s badly/last-good.state ] || fail 'no last good state'
  expect 0 run free.json --out badly --quiet && [ ! -e badly/last-good.state ] || fail 'an old last good state stays'
  expect 3 run bad.json --quiet && cp reeve-last-good.state kept.state
  expect 3 run bad.json --from-state reeve-last-good.state --quiet && cmp -s kept.state reeve-last-good.state || fail 'the state that was read is overwritten'
}

compare() {
  expect 0 compare atwood --seconds 1 --out both && in_out 'note: strand: ' && in_out 'both'
  expect 0 compare tower-crane --seconds 0.1 --models joints,particles && in_out 'particles cannot take this scene'
  for file in compare.json overlay.svg joints.svg strand.svg hoist.svg chain.svg particles.svg; do [ -s "both/$file" ] || fail "both/$file is missing"; done
  expect 0 compare atwood --seconds 1 --models joints,strand --json
  silent_err
  if command -v python3 >/dev/null; then
    # A light strand over a wheel that turns lifts as a cable of joints does: its mass is 0.1 % of the load per meter.
    python3 - <<'CHECK' || fail 'joints and strand disagree, or compare.json lacks something'
import json
models = json.load(open("out"))["models"]
assert [m["model"] for m in models] == ["joints", "strand"]
assert all(m["ran"] and m["good"] and m["unconverged"] == 0 for m in models)
joints, strand = (m["cables"]["rope"] for m in models)
assert abs(strand["mean_tension"] / joints["mean_tension"] - 1) < 0.01, (joints, strand)
assert 0 < models[1]["largest_distance"] < 0.02 and models[0]["largest_distance"] == 0
assert models[1]["notes"][0]["path"] == "/cables/rope/material/mass"
CHECK
  fi
  expect 2 compare atwood --models joints,strnad && in_err 'strand'
  expect 2 compare free.json && in_err 'no cables'
  expect 2 compare tower-crane --models particles && in_out 'meets no bodies'
}

states() {
  expect 0 run free.json --seconds 1 --json && whole=$(grep '"hash"' out)
  expect 0 run free.json --seconds 0.5 --save-state half.state
  expect 0 run free.json --seconds 0.5 --from-state half.state --json
  [ "$(grep '"hash"' out)" = "$whole" ] || fail 'two halves of a run differ from the whole'
}

pictures() {
  expect 0 picture free.json --at 0.5 -o a.svg && in_out 'a.svg'
  grep -q '</svg>' a.svg || fail 'a.svg is no picture'
  expect 0 picture free.json -o - --size 300x200 --from 1,-1,0.5 && in_out 'width="300"'
  expect 0 picture free.json --at 0.5 --fixed -o a.svg && expect 0 picture free.json --follow stone --height 3 -o b.svg
  expect 0 picture crane -o c.svg --signs && grep -q '#1f5fae' c.svg || fail 'no arrows of signs'
  expect 2 picture free.json --follow stoen && in_err 'stone'
  expect 2 picture free.json --target 1,2 && in_err 'x,y,z'
  expect 0 film free.json -o frames --fps 5 && [ -s frames/frame-00005.svg ] || fail 'no sixth picture of a film'
  expect 2 film free.json -o film.avi && in_err 'gif'
  if command -v rsvg-convert >/dev/null && command -v ffmpeg >/dev/null; then
    expect 0 film free.json -o film.gif --fps 5 --size 200x150 && [ -s film.gif ] || fail 'no film.gif'
  fi
  # Without the programs it says which package has them.
  (PATH=/nowhere; "$reeve" film free.json -o film.gif) >out 2>err && fail 'a film without programs'
  in_err 'librsvg2-bin'
  expect 0 picture double-pendulum --from iso && [ -s double-pendulum.svg ] || fail 'no double-pendulum.svg'
}

runs() {
  # Every shipped scene through `run`, which measures more than `expect` does.
  for scene in "$REEVE_SCENES"/*.json; do
    [ "$(basename "$scene")" = schema.json ] || expect 0 run "$scene" --seconds 0.02 --quiet --json
  done
}

study() {
  sed 's/"seconds": 1}/"seconds": 1, "gravity": [0, 0, -9.81]}/' free.json >falls.json
  cat >plan.json <<'EOF2'
{"scene": "falls.json", "vary": {"bodies.stone.position.2": {"from": 1, "to": 5, "count": 40}, "settings.gravity.2": [-1, -2]},
 "observe": ["bodies.stone.position.z", {"path": "bodies.stone.velocity.z", "take": "smallest"}]}
EOF2
  expect 0 study plan.json --out whole && in_out '80 of 80 runs'
  [ "$(wc -l <whole/table.csv)" -eq 81 ] || fail 'a grid of 40 and 2 values has 80 runs'
  # Falls by g t² / 2 from 1 m; Euler's first step adds half a step of it.
  head -2 whole/table.csv | tail -1 | grep -q '^0,1,-1,0.49[0-9]*,-1[.0-9]*,good$\|^0,1,-1,0.5[0-9]*,-1[.0-9]*,good$\|^0,1,-1,0.5,-1,good$' || fail 'the first run of the study'
  expect 0 study plan.json --out threads --threads 3 && cmp whole/table.csv threads/table.csv || fail 'the table depends on threads'
  # Killed after 30 runs and in the middle of a line: goes on, loses nothing, doubles nothing.
  mkdir cut && head -31 whole/journal.csv >cut/journal.csv && printf '55,1,-' >>cut/journal.csv
  expect 0 study plan.json --out cut && in_err '30 runs were done before; 50 are left' && cmp whole/table.csv cut/table.csv || fail 'resumed otherwise'
  expect 0 study plan.json --out parts --shard 1/2 && expect 0 study plan.json --out parts --shard 2/2
  { head -1 parts/table-1-of-2.csv && tail -q -n +2 parts/table-*-of-2.csv | sort -n; } | cmp - whole/table.csv || fail 'shards are not the whole'
  sed 's/"vary"/"sampling": "latin", "runs": 20, "vary"/' plan.json >latin.json
  expect 0 study latin.json --out latin && [ "$(cut -d, -f2 latin/table.csv | sort -u | wc -l)" -eq 21 ] || fail 'a Latin hypercube of 20 has 20 values'
  expect 2 study latin.json --out whole && in_err 'another study'
  sed 's/stone.velocity/stoen.velocity/' plan.json >wrongpath.json && expect 2 study wrongpath.json && in_err 'stone'
  sed 's/"vary"/"wary"/' plan.json >wary.json && expect 2 study wary.json && in_err 'did you mean "vary"'
}

# A bowl with its lowest point, 0, at a = 0.3 and b = 0.7.
bowl_scene() {
  cat >bowl.json <<'EOF2'
{"parameters": {"a": 0.5, "b": 0.5}, "settings": {"seconds": 0.02, "dt": 0.01, "gravity": [0, 0, 0]},
 "bodies": {"stone": {"mass": 1, "inertia": [1, 1, 1], "position": ["(a - 0.3)^2 + 2*(b - 0.7)^2 + (a - 0.3)*(b - 0.7)", "b", 0]}}}
EOF2
  cat >lowest.json <<'EOF2'
{"scene": "bowl.json", "minimise": "bodies.stone.position.x", "observe": ["bodies.stone.position.y"], "runs": 400,
 "vary": {"a": {"from": -2, "to": 2}, "b": {"from": -2, "to": 2}}}
EOF2
}

search() {
  bowl_scene
  for method in nelder-mead cma-es; do
    sed "s/\"runs\"/\"method\": \"$method\", \"runs\"/" lowest.json >$method.json
    expect 0 study $method.json --out $method
    in_out 'smallest bodies.stone.position.x: [0-9.]*e-1[0-9] in run'
    in_out ' a = 0.\(30000\|29999\)' && in_out ' b = 0.\(70000\|69999\)'
    # Killed after 20 runs: the same way on. With threads: the same table.
    mkdir cut-$method && head -21 $method/journal.csv >cut-$method/journal.csv
    expect 0 study $method.json --out cut-$method && cmp $method/table.csv cut-$method/table.csv || fail "$method resumed otherwise"
    expect 0 study $method.json --out two-$method --threads 2 && cmp $method/table.csv two-$method/table.csv || fail "$method on threads"
  done
  sed -e 's/minimise/maximise/' -e 's/"runs": 400/"runs": 60/' lowest.json >highest.json
  expect 0 study highest.json && in_out 'largest bodies.stone.position.x: 2[0-9]' # the corner a = b = -2
  sed 's/"runs"/"method": "newton", "runs"/' lowest.json >newton.json && expect 2 study newton.json && in_err 'nelder-mead'
  sed 's/{"from": -2, "to": 2}}/[1, 2]}/' lowest.json >listed.json && expect 2 study listed.json && in_err 'needs a range'
  expect 2 study lowest.json --shard 1/2 && in_err 'cut into shares'
  if [ -e "$(dirname "$reeve")/reeve_hdf5.so" ]; then
    expect 0 study lowest.json --hdf5 --out columns
    head -c 4 columns/table.h5 | grep -q HDF && grep -q bodies.stone.position.x columns/table.h5 || fail 'no columns in table.h5'
  else
    expect 2 study lowest.json --hdf5 && in_err libhdf5-dev
  fi
  # One run for an optimiser outside.
  printf '   2 variables\n  0.3 a\n  1.7 b\n  2 functions\n 1 ASV_1:x\n 1 ASV_2:y\n' >params.in
  expect 0 study lowest.json --dakota params.in results.out
  [ "$(cat results.out)" = '2 bodies.stone.position.x
1.7 bodies.stone.position.y' ] || fail "Dakota's results: $(cat results.out)"
  echo nothing >empty.in && expect 2 study lowest.json --dakota empty.in results.out && in_err 'standard format'
}

ranks() {
  # mpirun refuses to work as root unless told so twice, and more ranks than cores unless told so.
  command -v mpirun >/dev/null && [ -e "$(dirname "$reeve")/reeve_mpi.so" ] || { echo 'no MPI here'; exit 77; }
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  cat >grid.json <<'EOF2'
{"scene": "crane", "vary": {"bodies.load.mass": {"from": "1 t", "to": "5 t", "count": 40}, "cables.sling.material.axial": {"from": "1 MN", "to": "5 MN", "count": 25}},
 "observe": ["bodies.load.position.z", {"path": "cables.hoist.tension", "take": "largest"}]}
EOF2
  expect 0 study grid.json --seconds 0.1 --out one && in_out '1000 of 1000 runs'
  mpirun --oversubscribe -n 3 "$reeve" study grid.json --seconds 0.1 --out three >out 2>err || fail 'mpirun -n 3'
  cmp one/table.csv three/table.csv || fail 'the table depends on the number of ranks'
  # Killed without warning in the middle, gone on with other ranks: no run lost, none doubled.
  mpirun --oversubscribe -n 3 "$reeve" study grid.json --seconds 0.1 --out killed >out 2>err &
  job=$!
  for wait in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(cat killed/journal.csv 2>/dev/null | wc -l)" -gt 100 ] && break
    sleep 0.2
  done
  kill -9 $job
  wait $job 2>/dev/null
  sleep 0.5
  before=$(($(wc -l <killed/journal.csv) - 1))
  [ "$before" -lt 1000 ] || echo 'the job was done before it could be killed'
  mpirun --oversubscribe -n 2 "$reeve" study grid.json --seconds 0.1 --out killed >out 2>err || fail 'mpirun -n 2 after a kill'
  cmp one/table.csv killed/table.csv || fail 'resumed otherwise'
  [ "$(tail -n +2 killed/journal.csv | cut -d, -f1 | sort -n | uniq | wc -l)" -eq 1000 ] || fail 'a run is lost'
  [ "$(tail -n +2 killed/journal.csv | wc -l)" -eq 1000 ] || fail 'a run is doubled'
  bowl_scene
  sed 's/"runs"/"method": "cma-es", "runs"/' lowest.json >cma.json
  expect 0 study cma.json --out cma-one
  mpirun --oversubscribe -n 3 "$reeve" study cma.json --out cma-three >out 2>err && cmp cma-one/table.csv cma-three/table.csv || fail 'a search depends on ranks'
  mpirun --oversubscribe -n 2 "$reeve" study no-such.json >out 2>err && fail 'a missing study is no error'
}

pipes() {
  # Three seconds are enough for the bar to appear; in a pipe there must be nothing of it. Without --foreground
  # timeout sends its signal twice, to the child and to the group: that is one Ctrl-C.
  command -v timeout >/dev/null || exit 77
  # Where Ctrl-C is ignored, as in a background job, it would stay so: env --default-signal undoes that.
  env --default-signal=INT true 2>/dev/null || exit 77
  timeout -s INT 3 env --default-signal=INT "$reeve" run long.json --json >out 2>err
  in_err 'interrupted'
  [ "$(wc -l <err)" -eq 1 ] || fail 'more than one line on the standard error of a pipe'
  if grep -q '%' err; then fail 'progress in a pipe'; fi
  # A bare chroot has no pseudo-terminals.
  script -qec true terminal >/dev/null 2>&1 || return 0
  TERM=xterm script -qec "timeout --foreground -s INT 4 env --default-signal=INT '$reeve' run long.json --json >/dev/null" terminal >/dev/null 2>&1
  grep -q '% ' terminal || fail 'no progress on a terminal'
}

interrupt() {
  # A shell starts background jobs with Ctrl-C ignored; env --default-signal undoes that.
  env --default-signal=INT true 2>/dev/null || exit 77
  env --default-signal=INT "$reeve" run long.json --out part >out 2>err &
  pid=$!
  sleep 1
  kill -INT $pid
  kill -INT $pid 2>/dev/null  # at once again: still one Ctrl-C, a run that has ended does not mind
  wait $pid
  got=$?
  [ "$got" -eq 130 ] || fail "interrupted run: exit code $got, wanted 130"
  in_err 'interrupted'
  in_out 'stone'
  [ -s part/summary.json ] || fail 'an interrupted run wrote no summary'
  grep -q '"interrupted": true' part/summary.json || fail 'the summary does not tell of the interruption'
  # SIGTERM ends a run in the same way, with a code of its own.
  "$reeve" run long.json --out ended --quiet >out 2>err &
  pid=$!
  sleep 1
  kill -TERM $pid
  wait $pid
  got=$?
  [ "$got" -eq 143 ] || fail "terminated run: exit code $got, wanted 143"
  grep -q '"interrupted": true' ended/summary.json || fail 'the summary does not tell that it was terminated'
  [ ! -e ended/unfinished ] || fail 'a terminated run is marked as unfinished'
  # While a scene is built there is nothing to keep: it ends at once. 90,000 segments take a second and more.
  cat >slow.json <<'EOF2'
{"cables": {"rope": {"model": "chain", "segments": 90000, "material": {"mass": 0.1}, "route": [{"type": "attach"}, {"type": "attach", "point": [900, 0, 0]}]}}}
EOF2
  env --default-signal=INT "$reeve" run slow.json --seconds 0 --quiet >out 2>err &
  pid=$!
  sleep 0.15
  kill -INT $pid
  wait $pid
  got=$?
  [ "$got" -eq 130 ] || fail "interrupted while building: exit code $got, wanted 130"
  [ ! -s out ] || fail 'results of a scene that was not built'
  # Every command that simulates says the same.
  sed 's/"settings"/"expect": [{"at": 1e6, "observe": "bodies.stone.position.z", "equals": 5}], "settings"/' long.json >waits.json
  printf '{"scene": "long.json", "vary": {"bodies.stone.mass": [1, 2]}, "observe": ["bodies.stone.position.z"]}' >long-study.json
  for line in 'expect waits.json' 'picture long.json --at 1e5 -o long.svg' 'film long.json --fps 0.001 -o frames' 'study long-study.json'; do
    # shellcheck disable=SC2086
    env --default-signal=INT "$reeve" $line >out 2>err &
    pid=$!
    sleep 0.5
    kill -INT $pid
    wait $pid
    got=$?
    [ "$got" -eq 130 ] || fail "interrupted $line: exit code $got, wanted 130"
  done
}

reproduce() {
  expect 0 reproduce 'fig 6: tangent by iteration' --json
  in_out '"paper": "000"' && in_out '"item": "fig 6: tangent by iteration"' && in_out '"verdict": "pass"'
  expect 0 reproduce 'fig 6: tangent by iteration' --out sheet
  find sheet -name '*.html' | grep -q . || fail 'no page was written'
  expect 0 reproduce 'fig 6: tangent by iteration' --html alone.html
  grep -q '<svg' alone.html || fail 'the report alone has no drawing'
  expect 2 reproduce 'fig 999' && in_err 'fig'
  # Numbers match as a whole, and a star what begins so.
  expect 0 reproduce '000 fig 3' --json && in_out '"fig 3: ' && in_out '"verdict": "pass"'
  expect 0 reproduce '001 figures 2.*' --json && in_out '"fig 2.2: ' && in_out '"fig 2.4: '
  expect 0 reproduce '003 fig 8*' --json && in_out '"verdict": "pass"'
  expect 0 reproduce '003 fig 9*' --json && in_out '"verdict": "pass"'
  expect 2 reproduce '001 fig 3' && in_err 'fig 3.11'
  expect 2 reproduce '001 fig 3.1' && in_err 'fig 3.11'
  # Without its scenes an item falls short: that is said, and an error only if asked for.
  REEVE_SCENES=$work/none
  mkdir -p none
  expect 0 reproduce 'fig 16' --json && in_out '"verdict": "short"'
  expect 1 reproduce 'fig 16' --check && in_err '^000 fig 16: gear falls short: '
}

# paper PAPER ITEM..., part 'PAPER WORDS' ITEM...: no verdict is short, whatever the machine is busy with, and no item is
# missing.
part() {
  chosen=$1
  shift
  expect 0 reproduce "$chosen" --untimed --check --json
  silent_err
  for item; do
    grep -q "\"paper\": \"${chosen%% *}\", \"item\": \"$item[:\"]" out || fail "$chosen has no item $item"
  done
}
paper() { part "$@"; }
paper000() {
  set -- 'text: simple with 10 iterations' 'text: simple with 1 iteration' 'text: hilbert2 with 10 iterations' \
    'text: hilbert3 with 100 iterations' 'text: bow with 10 substeps of 10' 'fig 17: hybrid links'
  for row in simple servin pulley hand gym hilbert2 hilbert3; do set -- "$@" "table 1: $row"; done
  for figure in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do set -- "$@" "fig $figure"; done
  paper 000 "$@"
  shown=$(grep -c '"verdict": "shown"' out)
  [ "$shown" -eq 0 ] || fail "$shown items are only shown, wanted none"
}
paper001() {
  for figure in 2.2 2.4 3.11 3.16 3.17 3.20 3.28 3.31 3.32 3.37 3.38 3.39; do set -- "$@" "fig $figure"; done
  paper 001 "$@" 'section 4.1' 'section 4.2' 'section 4.3' 'section 5.2'
}
newton() {
  part newton 'XY table' 'free roller' 'four-bar with a groove' 'loaded wheel' 'span used up' 'ellipse and sector'
}
# In three parts, each well under a minute.
paper002tables() {
  for n in 2 4 8 16 32 64 128 256 512 1024; do set -- "$@" "table 1: $n pulleys"; done
  for n in 64 128 256 512 1024 2048 4096; do set -- "$@" "table 2: $n pulleys"; done
  part '002 table' "$@"
  part '002 fig 8' 'fig 8'
  part '002 fig 9' 'fig 9'
}
paper002shaft() {
  for figure in 1d 5c; do part "002 fig $figure" "fig $figure"; done
}
paper002figures() {
  for figure in 1 2a 2b 2c 2d 3 4a 4b 7a 7b 7c 7d; do part "002 fig $figure" "fig $figure"; done
}
paper003() {
  for figure in 6 7 8 10; do set -- "$@" "fig $figure"; done
  paper 003 "$@" 'section 5.1' 'fig 9, section 5.2' 'section 5.3'
  ! grep -q '"verdict": "shown"' out || fail 'an item is only shown: all of this paper are numbers'
}
# Without the tables and figs 10, 11 and 13, which take minutes; the tests of chains hold those.
paper004() {
  for figure in 1 2 3 4 5 6 9 12 14 15 16; do part "004 fig $figure:" "fig $figure"; done
  part '004 algorithm 1' 'algorithm 1'
}

bad() {
  expect 3 run bad.json && in_err 'bodies.stone' && in_err 'reeve-last-good.state'
  [ -s reeve-last-good.state ] || fail 'no last good state'
  expect 3 run bad.json --out result && [ -s result/last-good.state ] || fail 'no last good state in the folder'
  [ -s result/report.html ] || fail 'no report of a run that went bad'
  expect 3 run bad.json --json && in_out '"good": false'
  # Springs too stiff for the step fly apart: said so, and no number that is none gets out.
  cat >springs.json <<'EOF'
{"name": "springs", "settings": {"dt": 0.005, "seconds": 2},
 "cables": {"rope": {"model": "particles", "segments": 20, "material": {"mass": 0.1},
   "route": [{"type": "attach"}, {"type": "attach", "point": [1, 0, 0], "hold": "free"}],
   "particles": {"way": "springs", "spring": "1 kN/mm"}}}}
EOF
  expect 3 run springs.json --out apart && in_err 'cables.rope' && in_err 'flew apart'
  ! grep -rqiw nan apart || fail 'NaN in what a bad run wrote'
  ! grep -qiw nan out || fail 'NaN in what a bad run printed'
}

expect_section() {
  expect 0 check free.json && in_out '^ok: free.json: 1 body'
  expect 0 check --run free.json && in_out '1 of 1'
  expect 1 check --run wrong.json && in_out 'NOT OK'
  expect 0 expect free.json
  expect 1 expect free.json wrong.json && in_out '^ok' && in_out '^NOT OK'
  expect 2 expect missing.json wrong.json
  expect 2 expect
  expect 3 expect bad.json
}

case $section in
  expect) expect_section ;;
  *) $section ;;
esac
[ "$failures" -eq 0 ]
