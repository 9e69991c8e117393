/** A link that carries a whole scene: deflated, in the part of the address that no server sees. */

/** Bytes of text beyond which a link is none: a short one can unpack to more than a page can hold. */
const LONGEST = 16 << 20;

async function through(bytes: BlobPart, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  const bytes = await through(text, new CompressionStream('deflate-raw') as never);
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What a stream gives; throws when it becomes too long. */
async function limited(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > LONGEST) {
      await reader.cancel();
      throw new Error('too long');
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Undefined if it is not what pack() wrote, or more than a scene can be. */
export async function unpack(packed: string): Promise<string | undefined> {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await limited(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw') as never));
  } catch {
    return undefined;
  }
}
