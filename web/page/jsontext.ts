/** Values in JSON text by their place: found and replaced without touching the rest of what somebody wrote. */

export interface Spot {
  from: number;
  to: number;
  /** Of an object or a list: what is in it. */
  members?: Map<string, Spot>;
  /** Of an object: whether it is one. */
  object?: boolean;
}

/** Scans valid JSON; undefined if it is not. */
export function scan(text: string): Spot | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let at = 0;
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const string = (): string => {
    const from = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at++;
    return JSON.parse(text.slice(from, at)) as string;
  };
  const value = (): Spot => {
    skip();
    const from = at;
    const first = text[at];
    if (first === '"') {
      string();
      return { from, to: at };
    }
    if (first !== '{' && first !== '[') {
      while (at < text.length && !/[\s,\]}]/.test(text[at])) at++;
      return { from, to: at };
    }
    const object = first === '{';
    const members = new Map<string, Spot>();
    at++;
    for (skip(); text[at] !== '}' && text[at] !== ']'; skip()) {
      let key = String(members.size);
      if (object) {
        key = string();
        skip();
        at++; // the colon
      }
      members.set(key, value());
      skip();
      if (text[at] === ',') at++;
    }
    at++;
    return { from, to: at, members, object };
  };
  return value();
}

/** A text is asked for many places. */
let last: { text: string; spot: Spot | undefined } | undefined;

/** The value at a path of keys and indices. */
export function spotAt(text: string, path: readonly string[]): Spot | undefined {
  if (last?.text !== text) last = { text, spot: scan(text) };
  let { spot } = last;
  for (const key of path) spot = spot?.members?.get(key);
  return spot;
}

/** The text with the value at a path replaced, or added to its object if it was not there. */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  const written = JSON.stringify(value);
  const spot = spotAt(text, path);
  if (spot) return text.slice(0, spot.from) + written + text.slice(spot.to);
  if (path.length === 0) return text;
  const key = path[path.length - 1];
  const parent = spotAt(text, path.slice(0, -1));
  if (!parent) return withValue(text, path.slice(0, -1), { [key]: value });
  if (!parent.object) return text;
  const comma = parent.members!.size > 0 ? ', ' : '';
  const start = parent.from + 1;
  return `${text.slice(0, start)}${JSON.stringify(key)}: ${written}${comma}${text.slice(start)}`;
}

/** The text without the member of an object at a path. */
export function withoutValue(text: string, path: readonly string[]): string {
  const members = spotAt(text, path.slice(0, -1));
  const keys = members?.object ? [...members.members!.keys()] : [];
  const at = keys.indexOf(path[path.length - 1]);
  if (at < 0) return text;
  const spot = (i: number) => members!.members!.get(keys[i])!;
  // With the comma behind it, or the one before it if it is the last; its key stands between the value before and its own.
  const from = at > 0 ? spot(at - 1).to : members!.from + 1;
  if (at > 0 || keys.length === 1) return text.slice(0, from) + text.slice(spot(at).to);
  return text.slice(0, from) + text.slice(text.indexOf(',', spot(at).to) + 1);
}

/** The JSON value at a path, or undefined. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const spot = spotAt(text, path);
  return spot && (JSON.parse(text.slice(spot.from, spot.to)) as unknown);
}
