// What is seen, by pixels, by keys and by screen readers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atStart, folder, go, page, pause, shots, state, step, untilTime, WIDE } from './tools.mjs';

/** Share of the canvas that is not its most common color, and the share that is colored as tensions are. */
const colors = () =>
  page.evaluate(() => {
    const { stage } = window.playground.viewport;
    stage.draw();
    const flat = document.createElement('canvas');
    flat.width = stage.canvas.width;
    flat.height = stage.canvas.height;
    const pen = flat.getContext('2d');
    pen.drawImage(stage.canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, flat.width, flat.height);
    const counts = new Map();
    let cable = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      const key = (r >> 4) * 256 + (g >> 4) * 16 + (b >> 4);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (b > 1.6 * g && b > 90) cable++; // blue to magenta, as no body of the scene is
    }
    const pixels = data.length / 4;
    return { other: 1 - Math.max(...counts.values()) / pixels, cable: cable / pixels };
  });

export const checks = {
  async 'lessons, gallery, plots, keys'() {
    await go('#lesson=03-capstan');
    await page.waitForSelector('#lesson:not([hidden]) .question');
    await page.waitForFunction(() => document.querySelectorAll('.plot canvas').length === 2);
    await page.waitForFunction(() => window.playground.plots.csv().split('\n').length > 4);
    await page.click('#show-scenes');
    await page.waitForSelector('[data-scene=crane] img');
    await page.fill('#dialog input[type=search]', 'atwood');
    await page.waitForFunction(() => document.querySelectorAll('[data-scene]').length >= 1 && document.querySelectorAll('[data-scene]').length < 10);
    await page.click('#dialog-close');
    await pause();
    await page.focus('#canvas');
    const steps = (await state()).steps;
    await page.keyboard.press('.');
    await page.waitForFunction((n) => window.playground.session.frame.steps > n, steps);
  },
  async 'everything has a name for screen readers, works by keys, and can be read in both themes'() {
    await go('#lesson=03-capstan');
    await page.waitForSelector('#lesson:not([hidden]) .question');
    await pause();
    for (const tab of ['numbers', 'plots', 'controls', 'text', 'events']) {
      await page.click(`#tab-${tab}`);
      if (tab === 'text') await page.waitForSelector('.cm-content');
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select, textarea, summary, canvas, [role=tab], [role=textbox]')]
          .filter((item) => item.offsetParent !== null && !item.closest('.u-wrap'))
          .filter((item) => !(item.ariaLabel || item.getAttribute('aria-labelledby') || [...(item.labels ?? [])].some((label) => label.textContent.trim()) || item.textContent.trim() || item.title))
          .map((item) => item.outerHTML.slice(0, 120)));
      assert.deepEqual(nameless, [], tab);
    }
    await page.focus('#tab-events');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-numbers', 'aria-selected'), 'true');
    await page.focus('#play');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.playground.session.playing);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !window.playground.session.playing);
    await page.focus('#canvas');
    const before = await page.evaluate(() => window.playground.viewport.stage.camera.position.x);
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await page.evaluate(() => window.playground.viewport.stage.camera.position.x), before);
    for (const theme of ['light', 'dark']) {
      const ratios = await page.evaluate((wanted) => {
        document.documentElement.dataset.theme = wanted;
        const style = getComputedStyle(document.documentElement);
        const light = (name) => {
          const n = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
          const [r, g, b] = [n >> 16, (n >> 8) & 255, n & 255].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return [['--ink', '--paper'], ['--faint', '--paper'], ['--accent', '--paper'], ['--accent-ink', '--accent'], ['--bad', '--paper'], ['--ink', '--back']].map(([a, b]) => [`${a} on ${b}`, ratio(a, b)]);
      }, theme);
      for (const [what, ratio] of ratios) assert.ok(ratio >= 4.5, `${theme}: ${what} has a contrast of ${ratio}`);
    }
  },
  async 'pictures are not blank and show cables, light and dark, wide and at 375 px'() {
    for (const [theme, width, height] of [['light', 760, 480], ['dark', 760, 480], ['light', 375, 667], ['dark', 375, 667]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate((wanted) => localStorage.setItem('reeve.theme', wanted), theme);
      await go('#scene=crane');
      await untilTime(0.05);
      const { other, cable } = await colors();
      assert.ok(other > 0.03, `${theme} ${width}: ${other} of the picture is not background`);
      assert.ok(cable > 0.0004, `${theme} ${width}: ${cable} of the picture is cable`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px wide at ${width}`);
      if (shots) await page.screenshot({ path: `${shots}/crane-${theme}-${width}.png` });
    }
    await page.setViewportSize(WIDE);
  },
  async 'every scene has a picture in the gallery, and a question that it belongs to'() {
    await go('#scene=atwood');
    await pause();
    await page.click('#show-scenes');
    await page.waitForSelector('[data-scene=crane] img');
    const seen = await page.evaluate(async () => {
      const cards = [...document.querySelectorAll('[data-scene]')];
      const images = await Promise.all(cards.map(async (card) => {
        const image = new Image();
        image.src = card.querySelector('img').src;
        await image.decode().catch(() => undefined);
        return [card.dataset.scene, image.naturalWidth];
      }));
      return { images, groups: [...document.querySelectorAll('#dialog h3')].map((title) => title.textContent) };
    });
    assert.equal(seen.images.length, JSON.parse(readFileSync(`${folder}/scenes/index.json`, 'utf8')).length);
    assert.deepEqual(seen.images.filter(([, width]) => width < 50), []);
    assert.ok(seen.groups.length >= 6 && seen.groups.every((title) => title.endsWith('?')), String(seen.groups));
    await page.click('#dialog-close');
  },
  async 'a far cable is a line without gaps, as wide as a near one'() {
    await page.evaluate(() => localStorage.setItem('reeve.theme', 'light'));
    await atStart('#scene=long-span');
    for (const factor of [1, 12]) {
      const { gaps, widths, most } = await page.evaluate((zoom) => {
        const { stage } = window.playground.viewport;
        stage.zoom(zoom);
        stage.draw();
        const flat = Object.assign(document.createElement('canvas'), { width: stage.canvas.width, height: stage.canvas.height });
        const pen = flat.getContext('2d', { willReadFrequently: true });
        pen.drawImage(stage.canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, flat.width, flat.height);
        const scale = flat.width / stage.canvas.clientWidth;
        // What a cable is colored with; grid and background are grey.
        const cable = (x, y) => {
          const i = 4 * (Math.round(scale * y) * flat.width + Math.round(scale * x));
          return Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 25;
        };
        const { points } = window.playground.session.frame.cables[0];
        const seen = Array.from({ length: points.length / 4 }, (_, k) => stage.project(stage.controls.target.clone().set(points[4 * k], points[4 * k + 1], points[4 * k + 2])));
        let [all, gaps] = [0, 0];
        const widths = [];
        for (let k = 0; k + 1 < seen.length; k++) {
          const [a, b] = [seen[k], seen[k + 1]];
          const length = Math.hypot(b.x - a.x, b.y - a.y);
          for (let s = 0; s < length; s++) {
            const x = a.x + (s / length) * (b.x - a.x);
            const y = a.y + (s / length) * (b.y - a.y);
            if (x < 8 || y < 8 || x > flat.width / scale - 8 || y > flat.height / scale - 8) continue;
            all++;
            if (![-1, 0, 1].some((dy) => cable(x, y + dy))) gaps++;
            let width = 0;
            for (let dy = -7; dy <= 7; dy++) if (cable(x, y + dy)) width++;
            widths.push(width);
          }
        }
        return { gaps: gaps / all, widths: widths.sort((p, q) => p - q)[widths.length >> 1], most: all };
      }, factor);
      assert.ok(most > 20 && gaps < 0.01, `${factor} times as far: ${gaps} of ${most} places of the line are not cable`);
      assert.ok(widths >= 2 && widths <= 6, `${factor} times as far it is ${widths} px wide`);
    }
  },
  async 'wheels are seen to turn, and the stripe to move with the belt'() {
    await atStart('#scene=belt');
    await step(240); // up to speed
    const look = () => page.evaluate(() => {
      const { stage } = window.playground.viewport;
      stage.draw();
      const flat = Object.assign(document.createElement('canvas'), { width: stage.canvas.width, height: stage.canvas.height });
      const pen = flat.getContext('2d', { willReadFrequently: true });
      pen.drawImage(stage.canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, flat.width, flat.height);
      const scale = flat.width / stage.canvas.clientWidth;
      const { session } = window.playground;
      const at = (p) => stage.project(stage.controls.target.clone().set(...p));
      const color = ({ x, y }) => [...data.slice(4 * (Math.round(scale * y) * flat.width + Math.round(scale * x)), 4 * (Math.round(scale * y) * flat.width + Math.round(scale * x)) + 3)];
      const { points } = session.frame.cables[0];
      const line = [];
      for (let i = 0; i + 8 <= points.length; i += 4) for (let t = 0; t < 1; t += 0.05) line.push(color(at([0, 1, 2].map((k) => points[i + k] + t * (points[i + 4 + k] - points[i + k])))));
      const wheels = session.layout.rotors.flatMap((rotor, i) => {
        const matrix = stage.rotorMatrix(i, session.frame, true);
        const center = stage.controls.target.clone().setFromMatrixPosition(matrix);
        const middle = at(center.toArray());
        const rim = Math.abs(at(center.clone().add({ x: 0, y: 0, z: rotor.radius }).toArray()).y - middle.y);
        return Array.from({ length: 60 }, (_, k) => color({ x: middle.x + 0.55 * rim * Math.cos((k * Math.PI) / 30), y: middle.y + 0.55 * rim * Math.sin((k * Math.PI) / 30) }));
      });
      return { line, wheels };
    });
    const changed = (a, b) => a.filter((color, i) => Math.abs(color[0] - b[i][0]) + Math.abs(color[1] - b[i][1]) + Math.abs(color[2] - b[i][2]) > 40).length / a.length;
    const before = await look();
    const same = await look();
    assert.equal(changed(before.line, same.line) + changed(before.wheels, same.wheels), 0);
    await step(3);
    const after = await look();
    assert.ok(changed(before.wheels, after.wheels) > 0.05, `${changed(before.wheels, after.wheels)} of the spokes' circle changed`);
    assert.ok(changed(before.line, after.line) > 0.05, `${changed(before.line, after.line)} of the belt changed`);
  },
  async 'a body that leaves the picture is followed, until somebody turns the view'() {
    await atStart('#scene=yo-yo');
    const place = () => page.evaluate(() => {
      const { stage } = window.playground.viewport;
      const { x, y } = stage.bodies[0].position.clone().project(stage.camera);
      return { off: Math.max(Math.abs(x), Math.abs(y)), away: stage.camera.position.distanceTo(stage.controls.target) };
    });
    const before = await place();
    for (let i = 0; i < 60; i++) await step(10);
    const after = await place();
    assert.ok(after.off < 1, `the disc is at ${after.off} of half the picture`);
    assert.ok(after.away > 1.5 * before.away, `${before.away} m away before, ${after.away} m after`);
    await atStart('#scene=yo-yo');
    await page.focus('#canvas');
    await page.keyboard.press('ArrowLeft');
    const own = (await place()).away;
    for (let i = 0; i < 60; i++) await step(10);
    assert.ok(Math.abs((await place()).away - own) < 1e-6 * own);
  },
};
