/** What hands did to a run, and at which step: done again at the same steps, it gives the same bits. */
import type { Request } from './protocol.js';

export type Deed =
  | Extract<Request, { kind: 'grip' | 'convert' }>
  | { kind: 'set'; path: string; value: number }
  | { kind: 'command'; motor: string; target: number | null };

export class Deeds {
  private list: { steps: number; deed: Deed }[] = [];
  /** The first that has not been done since the run was last taken back. */
  private next = 0;

  clear(): void {
    this.list = [];
    this.next = 0;
  }

  /** Something new is done: what was done later, before the run was taken back, will not be done again. */
  add(steps: number, deed: Deed): void {
    this.list.length = this.next;
    const last = this.list[this.next - 1];
    // Only where the hand is now counts.
    if (last?.steps === steps && (deed.kind === 'grip' || deed.kind === 'command') && last.deed.kind === deed.kind && (deed as { motor?: string }).motor === (last.deed as { motor?: string }).motor) this.list.pop();
    this.list.push({ steps, deed });
    this.next = this.list.length;
  }

  /** What is to be done now, each once. */
  due(steps: number): Deed[] {
    const from = this.next;
    while (this.next < this.list.length && this.list[this.next].steps <= steps) this.next++;
    return this.list.slice(from, this.next).map(({ deed }) => deed);
  }

  /** The run is at a state again that was kept before anything was done at that step; the hand that pulled then. */
  rewind(steps: number): Deed | undefined {
    const found = this.list.findIndex((one) => one.steps >= steps);
    this.next = found < 0 ? this.list.length : found;
    return this.list.slice(0, this.next).findLast(({ deed }) => deed.kind === 'grip')?.deed;
  }

  /** Everything that is known from before a step on, for a second world that catches up. */
  before(steps: number): { steps: number; deed: Deed }[] {
    return this.list.filter((one) => one.steps < steps);
  }

  /** Old pulls and commands are of no use when no state from then is kept, but for the pull that holds. */
  forget(steps: number): void {
    const old = this.list.filter((one) => one.steps < steps && (one.deed.kind === 'grip' || one.deed.kind === 'command'));
    if (old.length < 1000) return;
    const holds = old.findLast(({ deed }) => deed.kind === 'grip');
    const over = new Set(old.filter((one) => one !== holds));
    this.next -= this.list.slice(0, this.next).filter((one) => over.has(one)).length;
    this.list = this.list.filter((one) => !over.has(one));
  }
}
