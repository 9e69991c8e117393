/** The little of WASI that reeve.wasm asks for: it writes a line when memory runs out, and nothing else. */

const ENOSYS = 52;

export class Wasi {
  memory: WebAssembly.Memory | undefined;
  /** What the module last wrote to its standard error. */
  said = '';

  imports(): WebAssembly.Imports {
    const calls: Record<string, (...args: number[]) => number> = {
      fd_write: (_fd, iovs, count, written) => {
        const memory = this.memory!.buffer;
        const view = new DataView(memory);
        let total = 0;
        for (let i = 0; i < count; i++) {
          const start = view.getUint32(iovs + 8 * i, true);
          const length = view.getUint32(iovs + 8 * i + 4, true);
          this.said += new TextDecoder().decode(new Uint8Array(memory, start, length));
          total += length;
        }
        view.setUint32(written, total, true);
        return 0;
      },
      proc_exit: (code) => {
        throw new Error(`reeve.wasm ended with code ${code}. ${this.said}`);
      },
    };
    const wasi = new Proxy(calls, { get: (known, name) => known[name as string] ?? (() => ENOSYS) });
    return { wasi_snapshot_preview1: wasi as unknown as WebAssembly.ModuleImports };
  }
}
