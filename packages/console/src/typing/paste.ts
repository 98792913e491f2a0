// Text from the clipboard, as it is given to a terminal. It may come from anywhere: what could end a bracketed paste early, or
// be taken for keys, is left out, and the person is told what is left before it is sent.

// Controls other than tabs and line ends, and the C1 controls, some of which begin sequences.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export interface Paste {
  /** What the terminal is sent. */
  readonly keys: string;
  /** The same for the eye. */
  readonly text: string;
  readonly lines: number;
  /** Controls that were left out. */
  readonly removed: number;
  /** The program has not asked to be told of pastes: every line end is the Enter key. */
  readonly pressesEnter: boolean;
}

export function preparePaste(clipboard: string, isBracketed: boolean): Paste {
  const text = clipboard.replace(/\r\n?/g, '\n');
  const clean = text.replace(CONTROLS, '');
  const keys = clean.replaceAll('\n', '\r');
  return {
    keys: isBracketed ? `\u001b[200~${keys}\u001b[201~` : keys,
    text: clean,
    // What ends the last line begins no other.
    lines: clean.replace(/\n$/, '').split('\n').length,
    removed: text.length - clean.length,
    pressesEnter: !isBracketed && keys.includes('\r'),
  };
}
