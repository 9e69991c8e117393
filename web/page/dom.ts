/** Elements without HTML: text of a scene only ever becomes text. */

type Props = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') element.className = String(value);
    else if (key === 'text') element.textContent = String(value);
    else if (key === 'value') (element as HTMLInputElement).value = String(value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Gives somebody a file. */
export function download(name: string, data: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Four significant digits, with thin spaces nowhere: 12 262.5 is "12260". */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0 || Math.abs(value) < 1e-12) return '0';
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** A force in the unit that needs the fewest digits. */
export function force(newtons: number): string {
  const size = Math.abs(newtons);
  if (size >= 1e6) return `${short(newtons / 1e6)} MN`;
  return size >= 1e4 ? `${short(newtons / 1e3)} kN` : `${short(newtons)} N`;
}

/** A length in the unit that needs the fewest digits. */
export function length(meters: number): string {
  if (meters >= 1000) return `${short(meters / 1000)} km`;
  if (meters >= 1) return `${short(meters)} m`;
  return meters >= 0.01 ? `${short(100 * meters)} cm` : `${short(1000 * meters)} mm`;
}

/** Six significant digits: what is to be compared. */
export const precise = (value: number): string => String(Number(value.toPrecision(6)));

/** The unit of an observable, from the last words of its path. */
export function unitOf(path: string): string {
  const words = path.split('.');
  const field = words.findLast((word) => !/^([xyzw]|\d+)$/.test(word)) ?? '';
  if (words[0] === 'energy' || field === 'work') return 'J';
  if (words[0] === 'joints') return ({ force: 'N', torque: 'N m', error: 'm' } as Record<string, string>)[field] ?? '';
  if (words[0] === 'time') return 's';
  const units: Record<string, string> = {
    position: 'm', velocity: 'm/s', angular_velocity: 'rad/s', angle: 'rad', rate: 'rad/s', length: 'm', stored: 'm',
    rest: 'm', tension: 'N', sag: 'm', start: 'm', end: 'm', wrap: 'rad', slip: 'm',
    force: words[0] === 'motors' ? '' : 'N',
  };
  return units[field] ?? '';
}
