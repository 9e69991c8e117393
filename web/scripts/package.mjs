// node scripts/package.mjs REEVE.wasm: builds the package into dist/ (sources by tsc, the module beside them and inside).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const web = fileURLToPath(new URL('..', import.meta.url));
const [wasm] = process.argv.slice(2);
if (!wasm) throw new Error('usage: node scripts/package.mjs REEVE.wasm');
const module = readFileSync(wasm);

rmSync(`${web}/dist`, { recursive: true, force: true });
mkdirSync(`${web}/dist`);
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.package.json'], {
  cwd: web,
  stdio: 'inherit',
});
writeFileSync(`${web}/dist/reeve.wasm`, module);
writeFileSync(
  `${web}/dist/embedded.js`,
  `export const embedded = '${gzipSync(module, { level: 9 }).toString('base64')}';\n`,
);
copyFileSync(`${web}/src/embedded.d.ts`, `${web}/dist/embedded.d.ts`);
