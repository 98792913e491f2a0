// The keys of a person, and nothing else, as the bytes that a terminal makes of them. The emulator stays deaf and mute
// (`disableStdin`, no `onData`): whatever a program writes, queries, mouse and focus reports included, it types nothing. Keys
// come from `onKey`, which fires for the keyboard alone; composed and pasted text from the browser's own events.
// Does not stop: a program that shows a prompt of another one. Who types must read where.

import type { Terminal } from '@xterm/xterm';

export interface TypingListener {
  typed(keys: string): void;
  /** Nothing of it has been typed. */
  pasted(text: string, isBracketed: boolean): void;
}

/** Returns what turns it on and off; it is off. */
export function listenToTyping(
  terminal: Terminal,
  parent: HTMLElement,
  listener: TypingListener,
): (isTyping: boolean) => void {
  let isTyping = false;
  /** The last key has been typed; what the browser makes of it besides is the same key once more. */
  let hasTyped = false;
  const { textarea } = terminal;
  // While it is off keys belong to the page. Copying is left to the browser.
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type === 'keydown' || event.type === 'keyup') hasTyped = false;
    return isTyping;
  });
  terminal.onKey(({ key }) => {
    if (!isTyping) return;
    hasTyped = true;
    listener.typed(key);
  });
  // Keyboards on glass, and what input methods compose.
  textarea?.addEventListener('input', (event) => {
    const { inputType, data, isComposing } = event as InputEvent;
    if (!isTyping || hasTyped || isComposing) return;
    if (inputType === 'insertText' && data !== null) listener.typed(data);
    else if (inputType === 'deleteContentBackward') listener.typed('\u007f');
    else if (inputType === 'insertLineBreak') listener.typed('\r');
  });
  textarea?.addEventListener('compositionend', ({ data }) => {
    if (isTyping && data !== '') listener.typed(data);
  });
  for (const kind of ['paste', 'drop'] as const)
    parent.addEventListener(
      kind,
      (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const data = event instanceof ClipboardEvent ? event.clipboardData : event.dataTransfer;
        const text = data?.getData('text/plain') ?? '';
        if (isTyping && text !== '') listener.pasted(text, terminal.modes.bracketedPasteMode);
      },
      { capture: true },
    );
  const set = (value: boolean): void => {
    isTyping = value;
    if (textarea === undefined) return;
    textarea.readOnly = !value;
    textarea.setAttribute(
      'aria-label',
      value ? 'Terminal: keys go to the command' : 'Terminal output, read only',
    );
    if (value) terminal.focus();
  };
  set(false);
  return set;
}
