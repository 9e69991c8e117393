// node test/view.mjs [REEVE]: `reeve view` serves the page and the scene on loopback, and nothing else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [command = fileURLToPath(new URL('../../build/release/bin/reeve', import.meta.url))] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'reeve-view-'));
const page = join(folder, 'page');
mkdirSync(join(page, 'assets'), { recursive: true });
writeFileSync(join(page, 'index.html'), 'the page');
writeFileSync(join(page, 'assets', 'a b.js'), 'script');
writeFileSync(join(folder, 'secret.txt'), 'secret');
symlinkSync(join(folder, 'secret.txt'), join(page, 'link.txt'));
const scene = join(folder, 'my scene.json');
writeFileSync(scene, '{"name": "first"}');

const server = spawn(command, ['view', scene, '--page', page], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve, reject) => {
  server.stdout.once('data', (text) => resolve(/http:\/\/127\.0\.0\.1:(\d+)\/#view/.exec(String(text))));
  server.once('exit', (code) => reject(new Error(`reeve view ended with ${code}`)));
});
const port = Number(address[1]);

/** As it is written, without what a client would tidy up. */
const get = (path, options = {}) =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, ...options }, (answer) => {
      let body = '';
      answer.on('data', (part) => (body += part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
    });
    asked.on('error', reject);
    asked.end();
  });

try {
  const home = await get('/');
  assert.deepEqual([home.status, home.body], [200, 'the page']);
  assert.match(home.headers['content-type'], /^text\/html/);
  assert.equal((await get('/assets/a%20b.js?x=1')).body, 'script');
  assert.equal((await get('/', { method: 'HEAD' })).body, '');
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/assets/../../secret.txt', '/link.txt', '/assets', '/nothing', `/${folder}/secret.txt`, '/my%20scene.json'])
    assert.equal((await get(path)).status, 404, path);
  for (const path of ['/%', '/a%00b', '/..%5csecret.txt']) assert.equal((await get(path)).status, 400, path);
  assert.equal((await get('/', { method: 'POST' })).status, 405);
  assert.equal((await get('/', { headers: { host: 'example.org' } })).status, 403);
  const first = await get('/view/scene');
  assert.deepEqual([first.body, first.headers['x-scene']], ['{"name": "first"}', 'my%20scene']);
  writeFileSync(scene, '{"name": "second"}');
  assert.equal((await get('/view/scene')).body, '{"name": "second"}');
  rmSync(scene);
  assert.equal((await get('/view/scene')).status, 404);
  // It listens on loopback, and nowhere else.
  const listening = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1)).map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === '0A');
  const own = listening.map(([, local]) => local.split(':')).filter(([, at]) => parseInt(at, 16) === port);
  assert.deepEqual(own.map(([host]) => host), ['0100007F']);
  // Somebody who says nothing does not hold the others up.
  const silent = connect(port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  assert.equal((await get('/')).status, 200);
  silent.destroy();
  server.kill('SIGINT');
  const code = await new Promise((resolve) => server.once('exit', resolve));
  assert.equal(code, 0);
  console.log('reeve view serves the page and its scene, and nothing else');
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
