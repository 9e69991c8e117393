/** A link that carries a whole scene: deflated, in the part of the address that no server sees. */

async function through(bytes: BlobPart, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  const bytes = await through(text, new CompressionStream('deflate-raw') as never);
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined if it is not what pack() wrote, or more than a scene can be. */
export async function unpack(packed: string): Promise<string | undefined> {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw') as never));
  } catch {
    return undefined;
  }
}
