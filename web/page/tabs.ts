/** Tabs as the ARIA practices want them: arrows move, one panel shows. */

export function tabs(list: HTMLElement, shown: (id: string) => void): (id: string) => void {
  const all = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')];
  const open = (id: string) => {
    for (const tab of all) {
      const on = tab.id === id;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')!)!.hidden = !on;
    }
    shown(id);
  };
  all.forEach((tab, i) => {
    tab.addEventListener('click', () => open(tab.id));
    tab.addEventListener('keydown', (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      const next = all[(i + way + all.length) % all.length];
      next.focus();
      open(next.id);
      event.preventDefault();
      event.stopPropagation();
    });
  });
  return open;
}
