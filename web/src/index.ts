/**
 * Reeve: cables, ropes, chains, belts and tendons with the bodies they move.
 *
 *     import { init } from 'reeve';
 *     const reeve = await init();
 *     const world = reeve.load(sceneText);
 *     world.step(240);
 *     world.read('cables.rope.spans.0.tension');
 */
import { Reeve } from './reeve.js';

export { readFrame, type CableFrame, type Frame } from './frame.js';
export { Reeve, ReeveError, World } from './reeve.js';
export type * from './types.js';

/** Starts the engine. `source` says where reeve.wasm is, if not beside this file: an address, its bytes, or a module. */
export async function init(source?: string | URL | BufferSource | WebAssembly.Module): Promise<Reeve> {
  const wasm = source ?? new URL('./reeve.wasm', import.meta.url);
  if (typeof wasm !== 'string' && !(wasm instanceof URL)) return Reeve.start(wasm);
  const address = new URL(wasm, import.meta.url);
  if (address.protocol !== 'file:') return Reeve.start(fetch(address));
  const files = 'node:fs/promises'; // by variable: bundlers for pages must not look for it
  const { readFile } = (await import(/* @vite-ignore */ files)) as { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
  return Reeve.start(await readFile(address));
}
