/** The same as 'reeve', with reeve.wasm inside: one file, for pages without a server and for single-file builds. */
import { embedded } from './embedded.js';
import { Reeve } from './reeve.js';

export { readFrame, type CableFrame, type Frame } from './frame.js';
export { Reeve, ReeveError, World } from './reeve.js';
export type * from './types.js';

export async function init(): Promise<Reeve> {
  const packed = Uint8Array.from(atob(embedded), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return Reeve.start(await new Response(stream).arrayBuffer());
}
