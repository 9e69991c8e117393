/** Play, pause, step, reset, rewind, speed: buttons and keys. */
import { byId } from './dom.js';
import type { Session } from './session.js';

export function transport(session: Session): void {
  const play = byId<HTMLButtonElement>('play');
  const rewind = byId<HTMLInputElement>('rewind');
  const speed = byId<HTMLSelectElement>('speed');
  let held = false;

  const toggle = () => (session.playing ? session.pause() : session.play());
  const back = (seconds: number) => void session.seek(Math.max((session.frame?.time ?? 0) + seconds, session.shown?.range[0] ?? 0));
  play.onclick = toggle;
  byId('step').onclick = () => void session.step();
  byId('reset').onclick = () => void session.reset();
  speed.onchange = () => (session.speed = Number(speed.value));
  rewind.addEventListener('pointerdown', () => (held = true));
  for (const end of ['pointerup', 'pointercancel', 'change']) rewind.addEventListener(end, () => (held = false));
  // One at a time, always to where the hand is now.
  let seeking = false;
  rewind.addEventListener('input', async () => {
    if (seeking) return;
    seeking = true;
    for (let told = NaN; told !== Number(rewind.value); ) await session.seek((told = Number(rewind.value)));
    seeking = false;
  });

  const show = () => {
    const { frame, shown } = session;
    if (!frame || !shown) return;
    byId('clock').textContent = `${frame.time.toFixed(3)} s`;
    rewind.min = String(shown.range[0]);
    rewind.max = String(Math.max(shown.range[1], frame.time));
    if (!held) rewind.value = String(frame.time);
    rewind.setAttribute('aria-valuetext', `${frame.time.toFixed(2)} seconds`);
  };
  session.on({
    opened: show,
    shown: show,
    playing: (on) => {
      play.textContent = on ? 'Pause' : 'Play';
      play.setAttribute('aria-pressed', String(on));
    },
  });

  // Keys, unless somebody writes or chooses.
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (target.closest('input, select, textarea, .cm-editor, dialog') || event.ctrlKey || event.metaKey) return;
    if (event.key === ' ' && target.closest('button, summary')) return; // it presses that
    const actions: Record<string, () => void> = {
      ' ': toggle,
      '.': () => void session.step(),
      r: () => void session.reset(),
      ArrowLeft: () => back(-0.5),
      ArrowRight: () => back(0.5),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
