/** reeve.wasm, gzipped, as base64. scripts/package.mjs writes the file. */
export declare const embedded: string;
