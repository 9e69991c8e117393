/** Colors that pictures and the page share: those of src/reeve/record/palette.cpp. */

const BODIES = [0x9cc4e4, 0xf2c584, 0xa5d3b4, 0xd8b4d8, 0xeba898, 0xe9dd8c, 0x9fd3d6, 0xc9bfae];
const TENSIONS = [0x2a0a8f, 0x6a00a8, 0xa21d9a, 0xcc4778, 0xe66c5c, 0xf89540];
/** On a dark page the lowest tensions are lighter, or they would not be seen. */
const TENSIONS_DARK = [0x6f7cff, 0x9a6bff, 0xc75fd0, 0xec6a93, 0xff8a6a, 0xffc04d];
const LINES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f'];

export const bodyColor = (index: number): number => BODIES[index % BODIES.length];
export const lineColor = (index: number): string => LINES[index % LINES.length];

export type Rgb = [number, number, number];
const rgb = (hex: number): Rgb => [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];

/** The color of a tension as a share of the largest one. */
export function tensionColor(share: number, dark: boolean): Rgb {
  const stops = dark ? TENSIONS_DARK : TENSIONS;
  const at = Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const a = rgb(stops[low]);
  const b = rgb(stops[low + 1]);
  return [0, 1, 2].map((k) => a[k] + (b[k] - a[k]) * (at - low)) as Rgb;
}

/** Slack cable: grey, which no tension is. */
export const slackColor = (dark: boolean): Rgb => (dark ? [0.62, 0.66, 0.7] : [0.45, 0.48, 0.52]);

export function tensionGradient(dark: boolean): string {
  const stops = dark ? TENSIONS_DARK : TENSIONS;
  return `linear-gradient(to right, ${stops.map((hex) => `#${hex.toString(16).padStart(6, '0')}`).join(', ')})`;
}
