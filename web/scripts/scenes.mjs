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
async function draw() {
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    const picture = `${out}/thumbnails/${file.replace('.json', '.svg')}`;
    await run(reeve, ['picture', `${scenes}/${file}`, '--size', '360x240', '--no-labels', '-o', picture]);
  }
}
await Promise.all([draw(), draw()]);
