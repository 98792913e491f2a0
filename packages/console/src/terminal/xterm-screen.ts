// xterm.js for an observer: nothing that the program writes can make it answer, open, copy or name anything.
// There is no `onData`, so a reply to a query in the log (`ESC[6n`) has nowhere to go; no handler for the clipboard
// (OSC 52) and titles; links ask first, and only http and https. Typing (typing-input.ts) changes none of that.

import { SearchAddon } from '@xterm/addon-search';
import { SerializeAddon } from '@xterm/addon-serialize';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { Screen } from '../log/player.js';
import { boundedClusters } from './bounded-clusters.js';
import { measureOnCanvas } from './cell-widths.js';
import { listenToTyping, type TypingListener } from './typing-input.js';

export interface XtermOptions {
  readonly parent: HTMLElement;
  readonly theme: ITheme;
  readonly fontSize: number;
  askToOpen(address: string): void;
  readonly typing: TypingListener;
}

export interface XtermScreen extends Screen {
  find(text: string, backwards: boolean): boolean;
  clearFind(): void;
  setTheme(theme: ITheme): void;
  setFontSize(size: number): void;
  /** The width of the screen in pixels, at its font size and its number of columns. */
  readonly width: number;
  /** How far below its upper edge the line with the cursor ends, in pixels. */
  readonly cursorBottom: number;
  /** What the screen shows, line by line; not what has scrolled out of it. */
  lines(): string[];
  /** Whether keys go to `typing`, or belong to the page. */
  setTyping(isTyping: boolean): void;
  focus(): void;
  dispose(): void;
}

const SCROLLBACK_LINES = 10_000;
/** OSC: the palette, foreground, background, cursor, and what undoes them. */
const COLOR_REQUESTS = [4, 10, 11, 12, 104, 110, 111, 112] as const;

export function openXterm({ parent, theme, fontSize, askToOpen, typing }: XtermOptions): XtermScreen {
  const terminal = new Terminal({
    disableStdin: true,
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, monospace',
    fontSize,
    lineHeight: 1.15,
    // It has a message for every byte that is no part of a sequence.
    logLevel: 'off',
    scrollback: SCROLLBACK_LINES,
    // So wide is the scroll bar, too; the page keeps that much room beside the last column.
    overviewRuler: { width: 8 },
    screenReaderMode: false,
    minimumContrastRatio: 4.5,
    theme,
    linkHandler: {
      allowNonHttpProtocols: false,
      activate: (_event, address) => {
        if (/^https?:\/\//i.test(address)) askToOpen(address);
      },
    },
  });
  const serializer = new SerializeAddon();
  const search = new SearchAddon();
  terminal.loadAddon(serializer);
  terminal.loadAddon(search);
  const clusters = boundedClusters();
  terminal.unicode.register(clusters);
  terminal.unicode.activeVersion = clusters.version;
  // Its colours are the page's: what output sets would outlive the moment that it was set in, and make other text hard to read.
  for (const number of COLOR_REQUESTS) terminal.parser.registerOscHandler(number, () => true);
  terminal.open(parent);
  measureOnCanvas(parent);
  const setTyping = listenToTyping(terminal, parent, typing);
  const colors = {
    matchBackground: '#7a5d00',
    activeMatchBackground: '#c98b00',
    matchOverviewRuler: '#c98b00',
    activeMatchColorOverviewRuler: '#ffb300',
  };
  return {
    get width() {
      return terminal.element?.querySelector('.xterm-screen')?.clientWidth ?? 0;
    },
    get cursorBottom() {
      const height = terminal.element?.querySelector('.xterm-screen')?.clientHeight ?? 0;
      return ((terminal.buffer.active.cursorY + 1) * height) / terminal.rows;
    },
    write: (data, done) => terminal.write(data, done),
    reset: () => terminal.reset(),
    resize: (cols, rows) => terminal.resize(Math.max(2, cols), Math.max(1, rows)),
    snapshot: () => serializer.serialize({ scrollback: 0 }),
    find: (text, backwards) =>
      backwards
        ? search.findPrevious(text, { decorations: colors })
        : search.findNext(text, { decorations: colors, incremental: false }),
    clearFind: () => search.clearDecorations(),
    setTheme: (next) => {
      terminal.options.theme = next;
    },
    setFontSize: (size) => {
      terminal.options.fontSize = size;
    },
    lines: () => {
      const { active } = terminal.buffer;
      return Array.from(
        { length: terminal.rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
      );
    },
    setTyping,
    focus: () => terminal.focus(),
    dispose: () => terminal.dispose(),
  };
}
