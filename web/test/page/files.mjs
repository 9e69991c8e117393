// What goes in and out as files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { init } from '../../dist/index.js';
import { animated, readGlb, validate } from './glb.mjs';
import { at, atStart, command, go, hash, page, pause, step, untilTime } from './tools.mjs';

const scene = (name) => readFileSync(at(`../../scenes/${name}.json`), 'utf8');

/** The file that a button of the export menu gives. */
async function exported(button) {
  await page.click('#export-menu summary');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(`#export-${button}`)]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** m from a point to the nearest place of a line x y z tension. */
function distance(p, line) {
  let best = Infinity;
  for (let i = 0; i + 4 < line.length; i += 4) {
    const a = line.slice(i, i + 3);
    const d = [0, 1, 2].map((k) => line[i + 4 + k] - a[k]);
    const along = [0, 1, 2].reduce((sum, k) => sum + (p[k] - a[k]) * d[k], 0) / Math.max(d[0] ** 2 + d[1] ** 2 + d[2] ** 2, 1e-18);
    const t = Math.min(Math.max(along, 0), 1);
    best = Math.min(best, Math.hypot(...[0, 1, 2].map((k) => p[k] - a[k] - t * d[k])));
  }
  return best;
}

export const checks = {
  async 'a run exported as glTF: bodies and wheels move as they did, and tubes lie along their cables'() {
    for (const name of ['winch', 'tackle-16']) {
      await go(`#scene=${name}`);
      await untilTime(0.3);
      await pause();
      await step(1);
      const { bytes } = await exported('glb');
      const glb = readGlb(bytes);
      validate(glb);
      const now = await page.evaluate(() => {
        const { frame, layout } = window.playground.session;
        return { bodies: [...frame.bodies], rotors: [...frame.rotors], lines: frame.cables.map((cable) => [...cable.points]), layout, extent: window.playground.viewport.stage.extent };
      });
      const { json, numbers } = glb;
      const named = (word) => json.nodes.findIndex((node) => node.name === word);
      now.layout.bodies.forEach((body, i) => {
        if (body.motion !== 'dynamic') return;
        const { values } = animated(glb, named(`body-${body.name}`), 'translation');
        values.at(-1).forEach((x, k) => assert.ok(Math.abs(x - now.bodies[7 * i + k]) < 1e-4, `${body.name} ends at ${values.at(-1)}`));
      });
      now.layout.rotors.forEach((rotor, i) => {
        const { values } = animated(glb, named(`wheel-${rotor.name}`), 'rotation');
        if (Math.abs(now.rotors[2 * i]) > 0.05) assert.notDeepEqual(values[0], values.at(-1), rotor.name);
      });
      for (const node of json.nodes.filter((one) => one.skin !== undefined)) {
        const { joints, inverseBindMatrices } = json.skins[node.skin];
        const cable = now.layout.cables.findIndex((one) => node.name === `cable-${one.name}`);
        const inverse = numbers(inverseBindMatrices);
        const { attributes } = json.meshes[node.mesh].primitives[0];
        const corners = numbers(attributes.POSITION);
        const bones = numbers(attributes.JOINTS_0);
        const ends = joints.map((joint) => animated(glb, joint, 'translation').values.at(-1));
        for (let v = 0; v < corners.length / 3; v += 5) {
          const bone = bones[4 * v];
          // Bones only move: what the inverse matrix leaves of a corner is where it stands off its bone.
          const offset = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + inverse[16 * bone + 4 * c + k] * corners[3 * v + c], inverse[16 * bone + 12 + k]));
          const place = offset.map((x, k) => x + ends[bone][k]);
          const off = distance(place, now.lines[cable]);
          assert.ok(off < 1.01 * now.layout.cables[cable].radius + 1e-4, `${name}: a corner of ${node.name} is ${off} m off its cable`);
        }
        // Between bones the tube runs straight: no wheel is cut by more than a hundredth of the scene.
        const middles = ends.slice(1).map((end, i) => end.map((x, k) => (x + ends[i][k]) / 2));
        const cut = Math.max(...middles.map((p) => distance(p, now.lines[cable])));
        assert.ok(cut < 0.01 * now.extent, `${name}: ${node.name} leaves its cable by ${cut} m`);
      }
    }
  },
  async 'plots as CSV have the numbers of the package at the same times, and the picture as PNG is the picture'() {
    await atStart('#scene=winch');
    await step(120);
    const { name, bytes } = await exported('csv');
    assert.equal(name, 'winch.csv');
    const [head, ...rows] = bytes.toString().trim().split('\n').map((line) => line.split(','));
    assert.equal(head[0], 'time');
    assert.ok(head.length > 2 && rows.length > 20, `${head}, ${rows.length} rows`);
    const world = (await init()).load(scene('winch'));
    for (const row of rows) {
      world.step(Math.round(Number(row[0]) / world.layout.settings.dt) - world.steps);
      world.readAll(head.slice(1)).forEach((value, i) => assert.equal(Number(row[i + 1]), value, `${head[i + 1]} at ${row[0]} s`));
    }
    world.drop();
    const png = await exported('png');
    const seen = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const flat = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const pen = flat.getContext('2d');
      pen.drawImage(image, 0, 0);
      const { canvas } = window.playground.viewport.stage;
      const { data: pixels } = pen.getImageData(0, 0, flat.width, flat.height);
      const kinds = new Set();
      for (let i = 0; i < pixels.length; i += 4) kinds.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      return { size: [image.width, image.height], canvas: [canvas.width, canvas.height], kinds: kinds.size };
    }, png.bytes.toString('base64'));
    assert.deepEqual(seen.size, seen.canvas);
    assert.ok(seen.kinds > 50, `${seen.kinds} colors`);
  },
  async 'the state goes on in the command, to the same hash'() {
    await atStart('#scene=winch');
    await step(100);
    const { bytes } = await exported('state');
    await step(60);
    const temporary = mkdtempSync(join(tmpdir(), 'reeve-state-'));
    try {
      writeFileSync(join(temporary, 'winch.state'), bytes);
      const { dt } = await page.evaluate(() => window.playground.session.layout.settings);
      const done = execFileSync(command, ['run', at('../../scenes/winch.json'), '--from-state', join(temporary, 'winch.state'), '--seconds', String(60 * dt), '--json', '--quiet']);
      assert.equal(JSON.parse(done).hash, await hash());
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  },
  async 'a scene is saved as a file, and opened from one'() {
    await go('#scene=belt');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save-file')]);
    assert.equal(saved.suggestedFilename(), 'belt.json');
    const text = readFileSync(await saved.path(), 'utf8');
    assert.equal(text, scene('belt'));
    await page.setInputFiles('#file', { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text.replace('"belt drive"', '"from a file"')) });
    await page.waitForFunction(() => window.playground.session.layout?.name === 'from a file');
    assert.equal(await page.evaluate(() => window.playground.session.name), 'mine');
    await page.evaluate(() => localStorage.clear());
  },
};
