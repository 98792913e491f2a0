// What all views share, made once.

import { effect, signal } from '@preact/signals';
import { Link } from '../model/link.js';
import { World } from '../model/world.js';
import type { Paste } from '../typing/paste.js';

export const world = new World();
export const link = new Link(world);

/** The time, a few times a second, for durations and countdowns. */
export const now = signal(Date.now());
setInterval(() => {
  // Without the server nothing is known of what goes on: what is shown stands at the last moment that it told of.
  if (document.visibilityState === 'visible' && link.state.peek() !== 'lost') now.value = Date.now();
}, 500);

export type Theme = 'dark' | 'light';

const preferred = matchMedia('(prefers-color-scheme: light)');
/** Chosen by hand, or undefined for what the system says. */
export const chosenTheme = signal<Theme | undefined>(storedTheme());
const systemTheme = signal<Theme>(preferred.matches ? 'light' : 'dark');
preferred.addEventListener('change', () => {
  systemTheme.value = preferred.matches ? 'light' : 'dark';
});
export const theme = signal<Theme>('dark');
effect(() => {
  theme.value = chosenTheme.value ?? systemTheme.value;
  document.documentElement.dataset['theme'] = theme.value;
  if (chosenTheme.value !== undefined) sessionStorage.setItem('exec-server.console.theme', chosenTheme.value);
});

function storedTheme(): Theme | undefined {
  const stored = sessionStorage.getItem('exec-server.console.theme');
  return stored === 'dark' || stored === 'light' ? stored : undefined;
}

export type Dialog =
  | { readonly kind: 'help' }
  | { readonly kind: 'stop'; readonly session: string; readonly processId: string }
  | { readonly kind: 'link'; readonly address: string }
  | { readonly kind: 'paste'; readonly paste: Paste; readonly onConfirm: () => void };

/** Keys go to a command: none of them is the page's. */
export const isTyping = signal(false);
export const dialog = signal<Dialog | undefined>(undefined);
/** What is typed into the search field. */
export const searchText = signal('');
/** Shown for a moment at the bottom. */
export const notice = signal('');

export function tell(sentence: string): void {
  notice.value = sentence;
  setTimeout(() => {
    if (notice.peek() === sentence) notice.value = '';
  }, 6000);
}
