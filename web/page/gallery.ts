/** The scenes that come with Reeve, by the question that they answer. */
import { el } from './dom.js';

export interface Entry {
  file: string;
  name: string;
  about: string;
}

const GROUPS: [string, string[]][] = [
  ['How does a machine lift with ropes?', ['elevator', 'elevator-brake', 'elevator-compensated', 'crane', 'crane-sling', 'tower-crane', 'gantry', 'winch', 'winch-layers', 'ratchet-hoist', 'hopper', 'chain-winch', 'hook-on-floor', 'energy', 'cable-car', 'zip-line', 'long-span']],
  ['What do pulleys do to a force?', ['atwood', 'pulley', 'tackle-16', 'compound-pulley', 'differential-hoist', 'servin', 'simple', 'simple-1000', 'hilbert2', 'hilbert2-loose', 'hilbert3', 'gear', 'skew-wheels', 'newton-rollers']],
  ['What do tendons, robots and drives do?', ['hand', 'tendon-finger', 'gym', 'bow', 'robot-arm', 'six-cable-seat', 'cable-robot', 'newton-xy-table', 'newton-four-bar', 'cable-climb', 'line-shaft', 'belt', 'chain-drive-4', 'chain-drive-8']],
  ['When does a cable hold, slip, run out or break?', ['capstan', 'mainsheet', 'hybrid', 'yo-yo', 'links', 'newton-used-up', 'shackle-swivel', 'split-merge', 'flips', 'socket', 'table', 'peg', 'peg-loads', 'newton-loaded-wheel', 'table-edge', 'elastic-001', 'elastic-01']],
  ['How does a cable hang, swing and wave?', ['suspension', 'string', 'whipping', 'washing-line', 'pendulum-24', 'no-lumping-a', 'no-lumping-b', 'necklace', 'bead-on-string', 'sliding', 'whirl', 'particle-chains', 'stiffness-grid']],
  ['What do stiffness and twist do?', ['bend', 'twist', 'torsion', 'stretch', 'helix', 'chain-shapes', 'chain-options', 'chain-loops', 'sheath-light', 'sheath-heavy', 'overhand-knot']],
  ['What does a cable do to what it meets?', ['drop-on-sphere', 'school-bench', 'columns', 'candidates', 'tow', 'pile']],
  ['What breaks other simulators?', ['heavy-chain', 'segments', 'double-pendulum', 'top']],
];

/** Groups of entries; whatever no group names comes last. */
export function grouped(entries: Entry[]): [string, Entry[]][] {
  const left = new Map(entries.map((entry) => [entry.file, entry]));
  const groups = GROUPS.map(([title, files]): [string, Entry[]] => {
    const found = files.map((file) => left.get(file)).filter((entry) => entry !== undefined);
    for (const entry of found) left.delete(entry.file);
    return [title, found];
  });
  groups.push(['And more', [...left.values()]]);
  return groups.filter(([, list]) => list.length > 0);
}

export async function loadIndex(): Promise<Entry[]> {
  const answer = await fetch('scenes/index.json');
  if (!answer.ok) throw new Error(`scenes/index.json: ${answer.status}`);
  return (await answer.json()) as Entry[];
}

export function showGallery(root: HTMLElement, entries: Entry[], choose: (file: string) => void): void {
  const search = el('input', { type: 'search', placeholder: 'Search scenes', 'aria-label': 'Search scenes' });
  const list = el('div', {});
  const fill = () => {
    const word = search.value.trim().toLowerCase();
    const fitting = entries.filter((entry) => `${entry.file} ${entry.name} ${entry.about}`.toLowerCase().includes(word));
    list.replaceChildren(
      ...grouped(fitting).map(([title, group]) =>
        el(
          'section',
          {},
          el('h3', { text: title }),
          el('div', { class: 'cards' }, ...group.map((entry) => card(entry, choose))),
        ),
      ),
    );
    if (fitting.length === 0) list.append(el('p', { text: 'No scene has these words.' }));
  };
  search.addEventListener('input', fill);
  fill();
  root.replaceChildren(search, list);
}

function card(entry: Entry, choose: (file: string) => void): HTMLElement {
  return el(
    'button',
    { class: 'card', type: 'button', onclick: () => choose(entry.file), 'data-scene': entry.file },
    el('img', { src: `thumbnails/${entry.file}.svg`, alt: '', loading: 'lazy', width: 240, height: 160 }),
    el('strong', { text: entry.name }),
    el('span', { text: entry.about }),
  );
}
