// Keys of the whole page. They are off while the user types.

import { chosenTheme, dialog, isTyping, link, theme, world } from './context.js';
import { go, route, TABS } from './route.js';
import { selectBy } from './tree.js';

/** The terminal stays behind other tabs, where no key reaches it. */
const SLIDER = '.tab-body:not([hidden]) .time-travel';

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.peek() !== undefined) return;
    const { target } = event;
    if (isTyping.peek() && target instanceof HTMLTextAreaElement) return;
    if (target instanceof HTMLSelectElement) return;
    if (target instanceof HTMLInputElement && target.type !== 'range') {
      if (event.key === 'Escape') target.blur();
      return;
    }
    if (act(event.key)) event.preventDefault();
  });
}

function act(key: string): boolean {
  const current = route.peek();
  switch (key) {
    case '/':
      document.querySelector<HTMLInputElement>('#search')?.focus();
      return true;
    case 'j':
      selectBy(1);
      return true;
    case 'k':
      selectBy(-1);
      return true;
    case 'g':
      go({ page: 'overview' });
      return true;
    case 'a':
      go({ page: 'approvals' });
      return true;
    case 't':
      chosenTheme.value = theme.peek() === 'dark' ? 'light' : 'dark';
      return true;
    case '?':
      dialog.value = { kind: 'help' };
      return true;
    case 'x':
      if (current.page !== 'process' || !link.can('stop')) return false;
      if (world.process(current.session, current.processId)?.peek().alive !== true) return false;
      dialog.value = { kind: 'stop', session: current.session, processId: current.processId };
      return true;
    case 'm':
      return press('Compare with this moment');
    case 'ArrowLeft':
      return press('One event back');
    case 'ArrowRight':
      return press('One event forward');
    case 'End': {
      const live = document.querySelector<HTMLButtonElement>(`${SLIDER} .live-button`);
      live?.click();
      return live !== null;
    }
    default: {
      const tab = TABS[Number(key) - 1];
      if (tab === undefined || current.page !== 'process') return false;
      go({ ...current, tab });
      return true;
    }
  }
}

function press(label: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`${SLIDER} button[aria-label="${label}"]`);
  button?.click();
  return button !== null;
}
