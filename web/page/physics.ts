/** The page's side of the worker: requests one at a time, each with a limit, so that no scene can hang the page. */
import type { Answer, Request } from './protocol.js';

/** The worker did not answer in time, or broke. What it held is gone. */
export class Broken extends Error {}

/** Queues requests and gives up on one that takes longer than `limit` ms; the next starts a fresh worker. */
export class Physics {
  private worker: Worker | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly makeWorker: () => Worker,
    public limit = 10_000,
  ) {}

  ask(request: Request): Promise<Answer> {
    const next = this.queue.then(() => this.send(request));
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** Ends the worker; the next request starts another. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  private send(request: Request): Promise<Answer> {
    const worker = (this.worker ??= this.makeWorker());
    return new Promise((resolve, reject) => {
      const fail = (message: string) => {
        clearTimeout(timer);
        this.stop();
        reject(new Broken(message));
      };
      const timer = setTimeout(
        () => fail(`stopped after ${this.limit / 1000} s without an answer: this scene is too much for a browser`),
        this.limit,
      );
      worker.onmessage = (event: MessageEvent<Answer>) => {
        clearTimeout(timer);
        if (event.data.kind === 'failure') fail(event.data.message);
        else resolve(event.data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || 'the worker could not be started');
      };
      worker.postMessage(request);
    });
  }
}
