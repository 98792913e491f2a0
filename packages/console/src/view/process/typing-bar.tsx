// Typing into a terminal, for whoever was granted it: off until it is turned on, marked while it is on, and seen by all
// others who watch. In the past there is nothing to type into.

import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ProcessRow } from '../../model/process-row.js';
import type { TypingListener } from '../../terminal/typing-input.js';
import { formatDuration, plural } from '../../text/format.js';
import { safeText } from '../../text/safe-text.js';
import { LeaveKeys } from '../../typing/leave-keys.js';
import { type Paste, preparePaste } from '../../typing/paste.js';
import { Typist } from '../../typing/typist.js';
import { dialog, isTyping, link, now, tell, world } from '../context.js';
import { Icon } from '../icons.js';

export interface Typing extends TypingListener {
  readonly isOn: Signal<boolean>;
}

/** `canType` is asked for every key: in the past, and while a question is open, nothing is typed. */
export function useTyping(row: ProcessRow, canType: () => boolean): Typing {
  const isOn = useSignal(false);
  const typing = useMemo(() => {
    const leaveKeys = new LeaveKeys();
    const stop = (sentence: string): void => {
      isOn.value = false;
      tell(sentence);
    };
    const typist = new Typist({
      send: async (bytes) => {
        const { session, processId } = row;
        const answer = await link.api.peek()?.write({ session, processId }, bytes);
        return answer?.status ?? 'no connection to the server';
      },
      onTrouble: stop,
    });
    const isOpen = (): boolean => isOn.peek() && canType() && dialog.peek() === undefined;
    return {
      isOn,
      typed: (keys: string) => {
        if (leaveKeys.sees(keys, performance.now())) isOn.value = false;
        else if (isOpen()) typist.type(keys);
      },
      pasted: (text: string, isBracketed: boolean) => {
        if (!isOpen()) return;
        const paste = preparePaste(text, isBracketed);
        dialog.value = { kind: 'paste', paste, onConfirm: () => typist.type(paste.keys) };
      },
    };
  }, [row.key]);
  const canStill = link.can('type') && row.state === 'running';
  useEffect(() => {
    if (!canStill) isOn.value = false;
  }, [canStill]);
  useEffect(() => {
    isTyping.value = isOn.value;
    return () => {
      isTyping.value = false;
    };
  }, [isOn.value]);
  return typing;
}

interface TypingBarProps {
  readonly row: ProcessRow;
  readonly typing: Typing;
  readonly isLive: boolean;
}

export function TypingBar({ row, typing: { isOn }, isLive }: TypingBarProps) {
  const canType = link.can('type') && row.tty && row.state === 'running';
  return (
    <span class={`typing-bar ${isOn.value ? 'is-on' : ''}`}>
      {canType && (
        <button
          type="button"
          class={isOn.value ? 'typing-on' : 'quiet-button'}
          aria-pressed={isOn.value}
          title={isOn.value ? 'Stop typing (Ctrl-] three times)' : 'Type into this terminal'}
          onClick={() => {
            isOn.value = !isOn.value;
          }}
        >
          <Icon name="keyboard" /> {isOn.value ? 'Stop typing' : 'Type'}
        </button>
      )}
      {isOn.value ? (
        <span class="hint" role="status">
          {isLive
            ? 'your keys go to the command; Ctrl-] three times leaves'
            : 'not while you look at the past'}
        </span>
      ) : (
        <TypedBy row={row} />
      )}
    </span>
  );
}

/** For so long it is said who has typed. */
const TOLD_MS = 30_000;

function TypedBy({ row: { session, processId } }: { readonly row: ProcessRow }) {
  const last = useComputed(() =>
    world.events.value.findLast(
      (event) =>
        event.kind === 'intervention' &&
        event.what === 'write' &&
        event.session === session &&
        event.processId === processId,
    ),
  ).value;
  if (last?.kind !== 'intervention' || now.value - last.atMs > TOLD_MS) return null;
  return (
    <span class="typed-by" role="status">
      <Icon name="keyboard" /> {safeText(last.by)} typed {formatDuration(Math.max(0, now.value - last.atMs))}{' '}
      ago
    </span>
  );
}

interface PasteQuestionProps {
  readonly paste: Paste;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const SHOWN_CHARACTERS = 2000;

export function PasteQuestion({ paste, onConfirm, onClose }: PasteQuestionProps) {
  const { text, lines, removed, pressesEnter } = paste;
  const shown = text.slice(0, SHOWN_CHARACTERS).split('\n').map(safeText).join('\n');
  return (
    <>
      <h2>
        Paste {plural(lines, 'line')}, {plural(text.length, 'character')}?
      </h2>
      <pre class="paste-text" dir="ltr">
        {shown}
        {text.length > SHOWN_CHARACTERS ? '\n…' : ''}
      </pre>
      {pressesEnter && (
        <p class="warning">The program does not know of pastes: every line end is taken for the Enter key.</p>
      )}
      {removed > 0 && <p class="hint">{plural(removed, 'control character')} in it will not be sent.</p>}
      <div class="choices">
        <button
          type="button"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          Paste
        </button>
        <button type="button" class="choice-last" autofocus onClick={onClose}>
          Do not paste
        </button>
      </div>
    </>
  );
}
