// node test/page.mjs [WORDS...]: the playground in Debian's chromium; with words, only checks whose names have one of them.
// REEVE_SHOTS=DIR keeps pictures, REEVE_VERBOSE=1 says how long each check takes.
import assert from 'node:assert/strict';
import { checks as cost } from './page/cost.mjs';
import { checks as files } from './page/files.mjs';
import { checks as hands } from './page/hands.mjs';
import { checks as look } from './page/look.mjs';
import { checks as scenes } from './page/scenes.mjs';
import { checks as text } from './page/text.mjs';
import { close, errors, page, server, shots } from './page/tools.mjs';

const started = Date.now();
let failed = 0;
const only = process.argv.slice(2);
for (const [name, check] of Object.entries({ ...scenes, ...hands, ...text, ...look, ...files, ...cost })) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
  const since = Date.now();
  errors.length = 0;
  try {
    await check();
    assert.deepEqual(errors, [], 'the page logged errors');
    if (process.env.REEVE_VERBOSE) console.log(`${name}: ${(Date.now() - since) / 1000} s`);
  } catch (error) {
    failed++;
    if (shots) await page.screenshot({ path: `${shots}/failed-${failed}.png` }).catch(() => undefined);
    console.error(`${name}: ${error.stack}`);
  }
}
await close();
server.stop();
console.log(`${failed} checks of the page failed, in ${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = failed > 0 ? 1 : 0;
