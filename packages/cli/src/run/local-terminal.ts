// Puts this program's own terminal into raw mode for a remote one, follows its size, and restores it.

import type { ReadStream } from 'node:tty';

export interface TerminalSize {
  readonly rows: number;
  readonly cols: number;
}

const FALLBACK: TerminalSize = { rows: 24, cols: 80 };

/** The size of whichever of stdout and stderr is a terminal. */
export function terminalSize(): TerminalSize {
  const screen = [process.stdout, process.stderr].find((stream) => stream.isTTY && stream.rows > 0);
  return screen === undefined ? FALLBACK : { rows: screen.rows, cols: screen.columns };
}

/** Keys go to the command as they are pressed, Ctrl-C among them. Returns how to restore the terminal. */
export function enterRawMode(stdin: ReadStream): () => void {
  const restore = (): void => {
    process.off('exit', restore);
    stdin.setRawMode(false);
  };
  stdin.setRawMode(true);
  process.on('exit', restore);
  return restore;
}

export function onResize(listener: (size: TerminalSize) => void): () => void {
  const changed = (): void => listener(terminalSize());
  // Node reads the new size when the stream is told; both may be terminals, one of them is enough.
  const screen = process.stdout.isTTY ? process.stdout : process.stderr;
  screen.on('resize', changed);
  return () => screen.off('resize', changed);
}
