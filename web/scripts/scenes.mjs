// node scripts/scenes.mjs REEVE OUT: the shipped scenes for the page, with an index and a picture of each.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const [reeve, out] = process.argv.slice(2);
if (!out) throw new Error('usage: node scripts/scenes.mjs REEVE OUT');
const scenes = fileURLToPath(new URL('../../scenes', import.meta.url));
const run = promisify(execFile);

rmSync(`${out}/scenes`, { recursive: true, force: true });
mkdirSync(`${out}/scenes`, { recursive: true });
mkdirSync(`${out}/thumbnails`, { recursive: true });
const files = readdirSync(scenes).filter((file) => file.endsWith('.json') && file !== 'schema.json').sort();

const firstSentence = (text) => /^.*?[.?](?=\s+[A-Z]|\s*$)/s.exec(text)?.[0] ?? text;
const index = files.map((file) => {
  const scene = JSON.parse(readFileSync(`${scenes}/${file}`, 'utf8'));
  copyFileSync(`${scenes}/${file}`, `${out}/scenes/${file}`);
  const name = file.replace('.json', '');
  return { file: name, name: scene.name ?? name, about: firstSentence(scene.about ?? '') };
});
writeFileSync(`${out}/scenes/index.json`, JSON.stringify(index));

/** When a file was written last; never, if it is not there. */
const written = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const waiting = files.filter((file) => {
  const picture = `${out}/thumbnails/${file.replace('.json', '.svg')}`;
  return written(picture) < Math.max(written(`${scenes}/${file}`), written(reeve));
});
/** Title, axes and legend left out, which a card says itself or nobody can read at its size: the scene fills the picture. */
function bare(svg) {
  const page = /<clipPath id="p-page"><rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/.exec(svg);
  const from = svg.indexOf('<g clip-path="url(#p-page)">');
  if (!page || from < 0) return svg;
  let depth = 0;
  for (const tag of svg.slice(from).matchAll(/<(\/?)g[ >]/g)) {
    depth += tag[1] ? -1 : 1;
    if (depth > 0) continue;
    const scene = svg.slice(0, from + tag.index) + '</g>\n</svg>\n';
    return scene.replace(/ width="[^"]*" height="[^"]*" viewBox="[^"]*"/, ` width="${page[3]}" height="${page[4]}" viewBox="${page.slice(1, 5).join(' ')}"`);
  }
  return svg;
}

async function draw() {
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    const picture = `${out}/thumbnails/${file.replace('.json', '.svg')}`;
    const { stdout } = await run(reeve, ['picture', `${scenes}/${file}`, '--size', '360x280', '--no-labels', '-o', '-'], { maxBuffer: 1 << 27 });
    writeFileSync(picture, bare(stdout));
  }
}
await Promise.all([draw(), draw()]);
