// Scenes in the page: shipped ones against the command, and those that mean harm.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { at, command, context, errors, folder, go, message, page, pause, shots, SMALL, state, untilTime, WIDE } from './tools.mjs';

/** ms for all scenes together: what a slow or busy machine does not reach in them is run for a moment only. 0: no end. */
const LIMIT = Number(process.env.REEVE_SCENES_LIMIT ?? 75_000);

/** The hash of the command after so many steps, and how many it took. Half a step more or less: it rounds to whole ones. */
async function native({ name, steps, dt }) {
  const { stdout } = await promisify(execFile)(command, ['run', at(`../../scenes/${name}.json`), '--seconds', String(steps * dt), '--json', '--quiet'], { maxBuffer: 1 << 28 }).catch((error) => error);
  return JSON.parse(stdout);
}

/** Runs a scene in the page for two seconds, or as far as `budget` ms reach. */
const ran = (name, budget) =>
  page.evaluate(async ([file, most]) => {
    const { session } = window.playground;
    if (!(await session.open(await (await fetch(`scenes/${file}.json`)).text(), file))) return { name: file, steps: -1 };
    const { dt } = session.layout.settings;
    const wanted = Math.round(2 / dt);
    const from = performance.now();
    for (let pack = 4; session.layout && session.frame.steps < wanted && performance.now() - from < most; pack *= 2)
      await session.step(Math.min(pack, 256, wanted - session.frame.steps));
    const { steps, good } = session.frame;
    return { name: file, dt, steps, good, whole: steps === wanted, hash: await session.words({ kind: 'hash' }), spent: performance.now() - from };
  }, [name, budget]);

export const checks = {
  async 'every shipped scene opens, runs two seconds, logs no error, and has the hash of the command'() {
    await page.setViewportSize(SMALL);
    await go('#scene=atwood');
    const names = JSON.parse(readFileSync(`${folder}/scenes/index.json`, 'utf8')).map((entry) => entry.file);
    assert.equal(names.length, readdirSync(at('../../scenes')).length - 1);
    await page.evaluate(() => (window.playground.session.physics.limit = 120_000));
    const started = Date.now();
    const all = [];
    const wrong = [];
    const compare = async (here) => {
      const there = await native(here);
      if (!here.good || there.steps !== here.steps || here.hash !== there.hash) wrong.push(`${JSON.stringify(here)}, the command ${there.steps} steps, ${there.hash}`);
    };
    let comparing = Promise.resolve(); // while the next one runs in the page
    for (const name of names) {
      const here = await ran(name, LIMIT === 0 ? Infinity : Date.now() - started < LIMIT ? 15_000 : 100);
      all.push(here);
      await comparing;
      comparing = compare(here);
    }
    await comparing;
    assert.deepEqual(wrong, []);
    const short = all.filter(({ whole }) => !whole).map(({ name, steps, dt }) => `${name} ${(steps * dt).toFixed(2)} s`);
    all.sort((a, b) => b.spent - a.spent);
    if (process.env.REEVE_VERBOSE) console.log(`slowest: ${all.slice(0, 8).map(({ name, spent }) => `${name} ${(spent / 1000).toFixed(1)} s`).join(', ')}`);
    console.log(`${names.length} scenes have the hash of the command in the page, ${names.length - short.length} of them after two simulated seconds${short.length > 0 ? `; less in the time there was: ${short.slice(0, 12).join(', ')}` : ''}`);
    await page.evaluate(() => (window.playground.session.physics.limit = 10_000));
    await page.setViewportSize(WIDE);
  },
  async 'names with tags stay text, and a scene without end is stopped'() {
    await go('#scene=atwood');
    const evil = '<img src=x onerror=window.bad=1>';
    const text = JSON.stringify({ name: evil, about: evil, bodies: { [evil.replaceAll('.', ' ')]: { mass: 1, shapes: [{ type: 'box', size: [1, 1, 1] }] } } });
    await page.evaluate(([changed]) => window.playground.session.open(changed, 'evil'), [text]);
    await page.waitForFunction((name) => document.querySelector('#scene-name').textContent === name, evil);
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.equal(await page.locator('main img').count(), 0);
    await page.evaluate(() => (window.playground.session.physics.limit = 300));
    const heavy = readFileSync(at('../../scenes/overhand-knot.json'), 'utf8');
    await page.evaluate((slow) => window.playground.session.open(slow, 'slow'), heavy);
    await page.evaluate(() => window.playground.session.step(400));
    assert.match(await message(), /stopped after 0.3 s/);
    await page.evaluate(() => (window.playground.session.physics.limit = 10_000));
    assert.ok(await page.evaluate(async () => window.playground.session.open(await (await fetch('scenes/atwood.json')).text(), 'atwood')));
  },
  async 'hostile scenes never hang or kill the page'() {
    await go('#scene=atwood');
    const corpus = at('../../tests/fuzz/corpus/');
    const texts = readdirSync(corpus).flatMap((folder) => readdirSync(corpus + folder).map((file) => readFileSync(`${corpus}${folder}/${file}`, 'utf8')));
    const winch = readFileSync(at('../../scenes/winch.json'), 'utf8');
    const knot = JSON.parse(readFileSync(at('../../scenes/overhand-knot.json'), 'utf8'));
    for (const cable of Object.values(knot.cables)) cable.particles = { ...cable.particles, count: 2_000_000 };
    texts.push('['.repeat(200_000), '{"a":'.repeat(50_000), '', '\u0000', '{"bodies": {"a": {"mass": 1e308}}}', winch.slice(0, winch.length / 2), winch.replace(/\d+/g, '1e300'), winch.replace(/\d+/g, '0'), JSON.stringify(knot));
    for (const text of texts) {
      await page.evaluate(async (scene) => {
        const { session } = window.playground;
        session.physics.limit = 1500;
        if (await session.open(scene, 'hostile')) await session.step(2);
      }, text);
    }
    await page.evaluate(() => (window.playground.session.physics.limit = 10_000));
    assert.ok(await page.evaluate(async () => window.playground.session.open(await (await fetch('scenes/atwood.json')).text(), 'atwood')));
    await page.evaluate(() => window.playground.session.step(3));
    assert.equal((await state()).steps, 3);
  },
  async 'what is exported and what the command writes run no script of a scene either'() {
    const evil = '</script><script>window.bad=1</script><img src=x onerror=window.bad=1>';
    const scene = JSON.parse(readFileSync(at('../../scenes/winch.json'), 'utf8'));
    scene.name = scene.about = evil;
    scene.plots = [{ title: evil, unit: 'm', observe: ['energy.total'] }];
    const folder = mkdtempSync(join(tmpdir(), 'reeve-evil-'));
    writeFileSync(join(folder, 'evil.json'), JSON.stringify(scene));
    execFileSync(command, ['picture', join(folder, 'evil.json'), '-o', join(folder, 'evil.svg')]);
    execFileSync(command, ['run', join(folder, 'evil.json'), '--seconds', '0.2', '--quiet', '--html', join(folder, 'native.html')], { stdio: 'ignore' });
    await go('#scene=winch');
    await page.evaluate((text) => window.playground.session.open(text, 'evil', { play: true }), JSON.stringify(scene));
    await untilTime(0.5);
    await pause();
    await page.click('#export-menu summary');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export-html')]);
    await file.saveAs(join(folder, 'replay.html'));
    const other = await context.newPage();
    other.on('pageerror', (error) => errors.push(error.message));
    for (const name of ['replay.html', 'native.html', 'evil.svg']) {
      await other.goto(`file://${folder}/${name}`);
      assert.equal(await other.evaluate(() => window.bad), undefined, name);
      assert.equal(await other.evaluate(() => document.querySelectorAll('img').length), 0, name);
      if (name.endsWith('.svg')) continue;
      assert.equal(await other.evaluate(() => document.querySelector('h1').textContent), evil);
      assert.ok(await other.evaluate(() => document.querySelectorAll('canvas.plot').length > 0), name);
      const drawn = await other.evaluate(() => {
        const canvas = document.querySelector('canvas.scene');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let painted = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i] > 0) painted++;
        return painted / (data.length / 4);
      });
      assert.ok(drawn > 0.005, `${name}: ${drawn} of the picture is painted`);
      if (shots) await other.screenshot({ path: `${shots}/${name}.png` });
    }
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
