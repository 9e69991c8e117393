// node wasm/run.mjs PROGRAM.wasm [args...] < input: runs a WASI command with arguments, standard input and output.
// Only what reeve_probe needs of WASI; every other call answers ENOSYS.
import fs from 'node:fs';

const [, , file, ...args] = process.argv;
if (!file) {
  console.error('usage: node run.mjs PROGRAM.wasm [args...] < input');
  process.exit(2);
}

const EBADF = 8, ENOSYS = 52;
const argv = [file, ...args].map((arg) => Buffer.from(arg + '\0'));
let memory;
const view = () => new DataView(memory.buffer);

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** The byte ranges of an iovec array, as views into the program's memory. */
function* ranges(iovs, count) {
  for (let i = 0; i < count; i++) {
    const start = view().getUint32(iovs + 8 * i, true), length = view().getUint32(iovs + 8 * i + 4, true);
    yield new Uint8Array(memory.buffer, start, length);
  }
}

function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(fd, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

const wasi = {
  args_sizes_get(count, size) {
    view().setUint32(count, argv.length, true);
    view().setUint32(size, argv.reduce((sum, arg) => sum + arg.length, 0), true);
    return 0;
  },
  args_get(pointers, buffer) {
    for (const arg of argv) {
      view().setUint32(pointers, buffer, true);
      new Uint8Array(memory.buffer).set(arg, buffer);
      pointers += 4;
      buffer += arg.length;
    }
    return 0;
  },
  environ_sizes_get(count, size) {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  fd_write(fd, iovs, count, written) {
    if (fd !== 1 && fd !== 2) return EBADF;
    let total = 0;
    for (const bytes of ranges(iovs, count)) {
      writeAll(fd, bytes);
      total += bytes.length;
    }
    view().setUint32(written, total, true);
    return 0;
  },
  fd_read(fd, iovs, count, read) {
    if (fd !== 0) return EBADF;
    let total = 0;
    for (const bytes of ranges(iovs, count)) {
      let got = 0;
      while (bytes.length > 0) {
        try {
          got = fs.readSync(0, bytes, 0, bytes.length, null);
          break;
        } catch (error) {
          if (error.code === 'EOF') break;
          if (error.code !== 'EAGAIN') throw error;
        }
      }
      total += got;
      if (got < bytes.length) break;
    }
    view().setUint32(read, total, true);
    return 0;
  },
  fd_fdstat_get(fd, stat) {
    if (fd > 2) return EBADF;
    new Uint8Array(memory.buffer, stat, 24).fill(0);
    view().setUint8(stat, 2);  // a character device
    return 0;
  },
  fd_close: () => 0,
  proc_exit(code) {
    throw new Exit(code);
  },
};
const imports = { wasi_snapshot_preview1: new Proxy(wasi, { get: (calls, name) => calls[name] ?? (() => ENOSYS) }) };

const { instance } = await WebAssembly.instantiate(fs.readFileSync(file), imports);
memory = instance.exports.memory;
try {
  instance.exports._start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = error.code;
}
