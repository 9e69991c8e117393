// Hands on a scene: pulling, sliders, motors, models, going back.
import assert from 'node:assert/strict';
import { atStart, context, go, hash, message, page, pause, shots, state, step } from './tools.mjs';

export const checks = {
  async 'dragging a body moves it and changes its tension; the force is shown'() {
    await go('#scene=winch');
    await pause();
    const body = await page.evaluate(() => {
      const { stage } = window.playground.viewport;
      const p = stage.bodies[0].position;
      return stage.project(p.clone());
    });
    const box = await page.locator('#canvas').boundingBox();
    const before = await page.evaluate(() => Array.from(window.playground.session.frame.bodies.slice(0, 3)));
    const tension = () => page.textContent('#panel-numbers .scroll:last-child tr:last-child td:last-child');
    await page.selectOption('#panel-numbers select', 'body 0');
    await page.waitForFunction(() => / N$/.test(document.querySelector('#panel-numbers .scroll:last-child tr:last-child td:last-child').textContent));
    const hung = await tension();
    await page.mouse.move(box.x + body.x, box.y + body.y);
    await page.mouse.down();
    await page.mouse.move(box.x + body.x + 70, box.y + body.y, { steps: 4 });
    await page.waitForFunction((x) => window.playground.session.frame.bodies[0] > x + 0.02, before[0], { timeout: 15_000 });
    assert.match(await page.textContent('#pull-label'), /N$/);
    await page.waitForFunction((was) => document.querySelector('#panel-numbers .scroll:last-child tr:last-child td:last-child').textContent !== was, hung);
    const pulled = parseFloat(await tension());
    assert.ok(Math.abs(pulled - parseFloat(hung)) > 0.01 * parseFloat(hung), `${hung} before, ${pulled} while it is pulled`);
    if (shots) await page.screenshot({ path: `${shots}/drag.png` });
    await page.mouse.up();
    await page.waitForFunction(() => window.playground.session.shown.pull === null);
    assert.match(await page.textContent('#panel-numbers h2'), /^Body/);
  },
  async 'dragging a rope of particles takes the rope along where it was taken'() {
    await go('#scene=overhand-knot');
    await pause();
    await page.evaluate(() => window.playground.session.step(2)); // the handles of its start are gone
    const place = () => page.evaluate(() => {
      const { points } = window.playground.session.frame.cables[0];
      const { stage } = window.playground.viewport;
      const seen = (i) => stage.project(stage.controls.target.clone().set(points[i], points[i + 1], points[i + 2]));
      window.taken ??= Array.from({ length: points.length / 4 }, (_, k) => 4 * k).find((i) => Math.abs(seen(i).x - 100) < 20);
      return { seen: seen(window.taken) };
    });
    const before = await place();
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + before.seen.x, box.y + before.seen.y);
    await page.mouse.down();
    await page.mouse.move(box.x + before.seen.x, box.y + before.seen.y - 60, { steps: 4 });
    for (let i = 0; i < 200 && (await place()).seen.y > before.seen.y - 15; i++) await page.waitForTimeout(50);
    const after = await place();
    assert.ok(after.seen.y < before.seen.y - 15, `${after.seen.y} px from ${before.seen.y} px`);
    assert.match(await page.textContent('#pull-label'), /N$/);
    if (shots) await page.screenshot({ path: `${shots}/drag-rope.png` });
    await page.mouse.up();
    assert.match(await page.textContent('#panel-numbers h2'), /^Cable/);
  },
  async 'a slider changes the physics'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(48));
    const before = await page.evaluate(() => window.playground.session.frame.bodies[9]);
    await page.click('#tab-controls');
    await page.$eval('[data-path="bodies/heavy/mass"]', (input) => {
      input.value = '0.9';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.waitForFunction(() => !window.playground.editor.text.includes('"mass": 1.5'));
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(48));
    const after = await page.evaluate(() => window.playground.session.frame.bodies[9]);
    assert.ok(after < before - 0.01, `${after} is not below ${before}`);
  },
  async 'a motor follows the hand, and the scene again when it is let go'() {
    await go('#scene=winch');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(60));
    await page.click('#tab-controls');
    await page.$eval('[data-path="command/motor"]', (input) => {
      input.value = '0.75';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const rate = () => page.evaluate(() => window.playground.session.frame.rotors[1]);
    await page.evaluate(() => window.playground.session.step(30));
    assert.ok(Math.abs((await rate()) - 1.5) < 1e-6, String(await rate())); // half of the slider's 3 rad/s
    await page.click('[aria-label="Let go of Motor motor"]');
    await page.evaluate(() => window.playground.session.step(30));
    assert.ok((await rate()) < 0, String(await rate()));
  },
  async 'all cables in another model: the scene is built anew with it'() {
    await go('#scene=atwood');
    await pause();
    await page.click('#tab-controls');
    await page.selectOption('#swap-all', 'strand');
    await page.waitForFunction(() => window.playground.session.layout.cables[0].model === 'strand');
    await page.evaluate(() => window.playground.session.step(5));
    assert.equal((await state()).steps, 5);
  },
  async 'a cable goes on in another model while it runs: positions and length stay, energy is told, and replay gives the same hash'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(50));
    const now = () => page.evaluate(() => {
      const { frame, layout } = window.playground.session;
      return { time: frame.time, bodies: [...frame.bodies], length: frame.cables[0].length, model: layout.cables[0].model };
    });
    const before = await now();
    assert.equal(before.model, 'joints');
    await page.click('#tab-controls');
    await page.selectOption('[data-path="cables/rope/model"]', 'strand');
    await page.waitForFunction(() => /goes on as strand/.test(document.querySelector('#message').textContent));
    const after = await now();
    assert.equal(after.model, 'strand');
    assert.equal(after.time, before.time);
    assert.deepEqual(after.bodies, before.bodies);
    assert.ok(Math.abs(after.length - before.length) < 1e-9, `${before.length} m before, ${after.length} m after`);
    const energies = /energy (\S+) J before, (\S+) J after/.exec(await message()).slice(1).map(Number);
    assert.ok(Math.abs(energies[0] - energies[1]) < 0.05 * Math.abs(energies[0]) + 0.05, String(energies));
    assert.match(await page.textContent('#events'), /goes on as strand/);
    await page.waitForFunction(() => JSON.parse(window.playground.editor.text).cables.rope.model === 'strand');
    if (shots) await page.screenshot({ path: `${shots}/swap.png` });
    // A slider and a hand after it, so that there is something to do again.
    assert.ok(await page.evaluate(() => window.playground.session.set('bodies.heavy.mass', 1.8)));
    await page.evaluate(() => window.playground.session.step(20));
    await page.evaluate(() => window.playground.session.grip({ kind: 'body', index: 0, point: [0, 0, 0], along: 0, target: [0.5, 0, 1] }));
    await page.evaluate(() => window.playground.session.step(30));
    const last = await now();
    assert.equal(await page.evaluate(() => window.playground.session.frame.steps), 100);
    const first = await hash();
    const rewind = async (time, model) => {
      await page.evaluate((t) => window.playground.session.seek(t), time);
      assert.equal((await now()).model, model);
      assert.equal(await page.inputValue('[data-path="cables/rope/model"]'), model);
    };
    await rewind(0.11, 'joints'); // before the swap: the cable is of the model that it was of then
    await page.evaluate((t) => window.playground.session.seek(t), last.time);
    assert.equal(await hash(), first, 'taken back and forth');
    await rewind(0.11, 'joints');
    await page.evaluate(async () => window.playground.session.step(100 - window.playground.session.frame.steps));
    assert.equal(await hash(), first, 'run again');
    await rewind(0.3, 'strand');
    await page.evaluate(() => window.playground.session.grip(null)); // something else: what was done later is forgotten
    await page.evaluate(async () => window.playground.session.step(100 - window.playground.session.frame.steps));
    assert.notEqual(await hash(), first);
  },
  async 'a cable that cannot go on in another model stays, and the page says why'() {
    await go('#scene=hook-on-floor');
    await pause();
    await page.evaluate(() => window.playground.session.step(5));
    await page.click('#tab-controls');
    const select = page.locator('[data-path^="cables/"][data-path$="/model"]').first();
    const was = await select.inputValue();
    const steps = (await state()).steps;
    await select.selectOption('joints'); // it is paid out, which no scene can say of a cable of joints as it is now
    await page.waitForFunction(() => document.querySelector('#message.bad button'));
    assert.match(await message(), /stays/);
    assert.equal(await select.inputValue(), was);
    assert.equal((await state()).steps, steps);
    await page.evaluate(() => window.playground.session.step(5));
    assert.equal((await state()).steps, steps + 5);
  },
  async 'two models overlaid run at one time and rewind together'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(60));
    await page.click('#tab-controls');
    await page.selectOption('#overlay', 'strand');
    await page.waitForFunction(() => window.playground.session.ghost);
    const both = () => page.evaluate(() => {
      const { frame, ghost } = window.playground.session;
      return { times: [frame.time, ghost?.time], places: [frame.bodies[9], ghost?.bodies[9]], shown: window.playground.viewport.stage.ghostShown };
    });
    const first = await both();
    assert.ok(first.shown && Math.abs(first.places[0] - first.places[1]) < 0.02, String(first.places));
    await page.evaluate(() => window.playground.session.step(60));
    const later = await both();
    assert.equal(later.times[0], later.times[1]);
    assert.notEqual(later.places[0], later.places[1]);
    assert.ok(Math.abs(later.places[0] - later.places[1]) < 0.1, String(later.places));
    if (shots) await page.screenshot({ path: `${shots}/overlay.png` });
    await page.evaluate(() => window.playground.session.seek(0.35));
    const back = await both();
    assert.equal(back.times[0], back.times[1]);
    await page.evaluate(() => window.playground.session.seek(0.1)); // before it was made
    assert.equal((await both()).shown, false);
    assert.match(await message(), /begins later/);
  },
  async 'a point of the curve that a cable starts along is moved by hand, before it starts'() {
    await go('#scene=overhand-knot');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    const handle = await page.evaluate(() => {
      const { stage, handles } = window.playground.viewport;
      const [{ cable, points }] = handles.curves;
      const p = stage.controls.target.clone().set(...points[1]);
      return { cable, count: points.length, at: stage.project(p), point: points[1] };
    });
    if (shots) await page.screenshot({ path: `${shots}/curve.png` });
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + handle.at.x, box.y + handle.at.y);
    await page.mouse.down();
    await page.mouse.move(box.x + handle.at.x + 12, box.y + handle.at.y - 25, { steps: 3 });
    await page.mouse.up();
    const shape = () => page.evaluate((cable) => JSON.parse(window.playground.editor.text).cables[cable].shape, handle.cable);
    await page.waitForFunction((z) => Math.abs(window.playground.viewport.handles.curves[0].points[1][2] - z) > 1e-4 && window.playground.session.frame.steps === 0, handle.point[2]);
    const moved = await shape();
    assert.equal(moved.length, handle.count);
    assert.ok(moved[1][2] > handle.point[2], `${moved[1]} is not above ${handle.point}`);
    await page.click('#tab-controls');
    await page.click('[data-curve] button.small');
    await page.waitForFunction((n) => window.playground.viewport.handles.curves[0].points.length === n + 1, handle.count);
    await page.evaluate(() => window.playground.session.step(1));
    assert.equal(await page.evaluate(() => window.playground.viewport.handles.curves.length), 0);
  },
  async 'rewound and run again it has the same hash'() {
    await go('#scene=crane');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(200));
    const first = await hash();
    await page.evaluate(() => window.playground.session.seek(0.73));
    assert.ok((await state()).steps < 100);
    await page.evaluate(async () => {
      const { session } = window.playground;
      await session.step(200 - session.frame.steps);
    });
    assert.equal((await state()).steps, 200);
    assert.equal(await hash(), first);
  },
  async 'a finger pulls a body, on the background it turns the view, and two zoom'() {
    await go('#scene=winch');
    await pause();
    const cdp = await context.newCDPSession(page);
    const box = await page.locator('#canvas').boundingBox();
    const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x: box.x + x, y: box.y + y, id })) });
    const seen = () => page.evaluate(() => {
      const { stage } = window.playground.viewport;
      const { x, y } = stage.project(stage.bodies[0].position.clone());
      return { x, y, body: stage.bodies[0].position.x, away: stage.camera.position.distanceTo(stage.controls.target), camera: stage.camera.position.toArray() };
    });
    const before = await seen();
    await touch('touchStart', [before.x, before.y]);
    for (const far of [20, 40, 70]) await touch('touchMove', [before.x + far, before.y]);
    await page.waitForFunction((x) => window.playground.session.frame.bodies[0] > x + 0.02, before.body, { timeout: 15_000 });
    assert.match(await page.textContent('#pull-label'), /N$/);
    assert.deepEqual((await seen()).camera, before.camera, 'the view turned with the pull');
    await touch('touchEnd');
    await page.waitForFunction(() => window.playground.session.shown.pull === null);
    await pause();
    await touch('touchStart', [30, 120]);
    for (const far of [10, 30, 60]) await touch('touchMove', [30 + far, 120]);
    await touch('touchEnd');
    const turned = await seen();
    assert.ok(Math.abs(turned.camera[0] - before.camera[0]) > 0.01 * before.away, 'one finger did not turn the view');
    await touch('touchStart', [60, 120], [100, 120]);
    for (const far of [10, 30, 50]) await touch('touchMove', [60 - far / 2, 120], [100 + far, 120]);
    await touch('touchEnd');
    const nearer = await seen();
    assert.ok(nearer.away < 0.8 * before.away, `${before.away} m away before two fingers, ${nearer.away} m after`);
    await cdp.detach();
  },
  async 'a body is chosen and pulled by keys alone, and its numbers go on while a button has the focus'() {
    await atStart('#scene=winch');
    await page.focus('#panel-numbers select');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => /^Body/.test(document.querySelector('#panel-numbers h2').textContent));
    const x = await page.evaluate(() => window.playground.session.frame.bodies[0]);
    await page.focus('#panel-numbers [aria-label="Pull it"] button:nth-child(2)');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Pull right');
    const numbers = await page.textContent('#panel-numbers tbody');
    await page.keyboard.press('Enter');
    await page.waitForFunction((from) => window.playground.session.frame.bodies[0] > from + 0.01, x);
    await page.waitForFunction((was) => document.querySelector('#panel-numbers tbody').textContent !== was, numbers);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Pull right');
  },
  async 'the last 30 s can be taken back, and run again to the same hash'() {
    await atStart('#scene=atwood');
    const { dt } = await page.evaluate(() => window.playground.session.layout.settings);
    const steps = Math.round(35 / dt);
    await step(steps);
    const first = await hash();
    const [from, to] = await page.evaluate(() => window.playground.session.shown.range);
    assert.ok(to > 34.8 && to - from > 29.8 && to - from < 30.3, `${from} s to ${to} s`);
    await page.evaluate((time) => window.playground.session.seek(time), from);
    assert.ok(Math.abs((await state()).time - from) < dt, `${(await state()).time} s instead of ${from} s`);
    await page.evaluate((n) => window.playground.session.step(n - window.playground.session.frame.steps), steps);
    assert.equal((await state()).steps, steps);
    assert.equal(await hash(), first);
  },
};
