/** States of the last half minute, so that a run can be taken back: states are values. */

export interface Kept {
  time: number;
  steps: number;
  /** World.save(), as bytes: half of what a string takes. */
  state: Uint8Array;
}

const SECONDS = 30;
const BYTES = 96 << 20;

export class Timeline {
  private kept: Kept[] = [];
  private bytes = 0;
  /** s between states; doubled when they take too much memory. */
  private spacing = 0.1;

  get range(): [number, number] {
    const last = this.kept[this.kept.length - 1];
    return last ? [this.kept[0].time, last.time] : [0, 0];
  }

  /** Steps of the oldest state. */
  get first(): number {
    return this.kept[0]?.steps ?? 0;
  }

  clear(): void {
    this.kept = [];
    this.bytes = 0;
    this.spacing = 0.1;
  }

  /** Whether a state at this time should be kept. */
  wants(time: number): boolean {
    const last = this.kept[this.kept.length - 1];
    return !last || time >= last.time + this.spacing * 0.999;
  }

  keep(time: number, steps: number, state: string): void {
    const bytes = new TextEncoder().encode(state);
    this.kept.push({ time, steps, state: bytes });
    this.bytes += bytes.length;
    while (this.kept.length > 1 && this.kept[1].time < time - SECONDS) this.bytes -= this.kept.shift()!.state.length;
    if (this.bytes <= BYTES || this.kept.length < 8) return;
    this.spacing *= 2;
    this.kept = this.kept.filter((_, i) => i % 2 === 0 || i === this.kept.length - 1);
    this.bytes = this.kept.reduce((sum, one) => sum + one.state.length, 0);
  }

  /** The last state at or before a time. */
  before(time: number): Kept | undefined {
    let found = this.kept[0];
    for (const one of this.kept) if (one.time <= time + 1e-9) found = one;
    return found;
  }

  /** Forgets what comes after a time. */
  cut(time: number): void {
    while (this.kept.length > 1 && this.kept[this.kept.length - 1].time > time + 1e-9)
      this.bytes -= this.kept.pop()!.state.length;
  }
}
