// Questions and help, above everything else.

import { useEffect, useRef } from 'preact/hooks';
import { safeText } from '../text/safe-text.js';
import { type Dialog, dialog, link, tell, world } from './context.js';
import { Command } from './parts.js';
import { PasteQuestion } from './process/typing-bar.js';

export function Dialogs() {
  const { value } = dialog;
  return value === undefined ? null : <OpenDialog value={value} />;
}

function OpenDialog({ value }: { readonly value: Dialog }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  const close = (): void => {
    dialog.value = undefined;
  };
  return (
    <dialog
      ref={element}
      onClose={close}
      class={`dialog dialog-${value.kind}`}
      aria-label={LABELS[value.kind]}
    >
      {value.kind === 'help' && <Help onClose={close} />}
      {value.kind === 'stop' && (
        <StopQuestion session={value.session} processId={value.processId} onClose={close} />
      )}
      {value.kind === 'link' && <LinkQuestion address={value.address} onClose={close} />}
      {value.kind === 'paste' && (
        <PasteQuestion paste={value.paste} onConfirm={value.onConfirm} onClose={close} />
      )}
    </dialog>
  );
}

const LABELS: Readonly<Record<Dialog['kind'], string>> = {
  help: 'Keys',
  stop: 'Stop a process',
  link: 'Open a link',
  paste: 'Paste into a command',
};

const KEYS = [
  ['/', 'search'],
  ['j  k', 'next and previous process; in the list ↑ ↓ ← → and Enter'],
  ['1 … 6', 'terminal, output, tree, policy, files, events'],
  ['←  →', 'one event back and forward'],
  ['End', 'live'],
  ['m', 'mark this moment, compare others with it'],
  ['x', 'stop the process (asks)'],
  ['a', 'approvals'],
  ['g', 'overview'],
  ['t', 'dark or light'],
  ['?', 'this'],
] as const;

function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        You watch. Nothing here slows an agent or keeps a session alive, and no key reaches a command unless
        you were allowed to type and have turned it on.
      </p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </>
  );
}

interface StopProps {
  readonly session: string;
  readonly processId: string;
  readonly onClose: () => void;
}

function StopQuestion({ session, processId, onClose }: StopProps) {
  const row = world.process(session, processId)?.value;
  const run = (action: Promise<unknown> | undefined, done: string): void => {
    onClose();
    if (action === undefined) tell('There is no connection to the server: nothing was done.');
    action?.then(
      () => tell(done),
      (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
    );
  };
  const api = link.api.value;
  const target = { session, processId };
  const hasExited = row?.state === 'exited' || row?.state === 'closed';
  return (
    <>
      <h2>{hasExited ? 'End what it left behind?' : 'Stop this process?'}</h2>
      <p>
        <Command text={row?.title.slice(0, 400) ?? safeText(processId)} />
      </p>
      <p class="hint">
        {hasExited
          ? 'The command itself has ended. Everything that it started and that is still alive is killed, daemons included.'
          : 'The whole tree ends with it, daemons included. Its agent sees a command that was ended.'}{' '}
        The journal says that it was you.
      </p>
      <div class="choices">
        {hasExited ? (
          <button
            type="button"
            class="danger"
            autofocus
            onClick={() => run(api?.endTree(target), 'Nothing of it is left.')}
          >
            End the tree
          </button>
        ) : (
          <>
            <button
              type="button"
              class="danger"
              autofocus
              onClick={() => run(api?.stop(target), 'It was asked to stop.')}
            >
              Stop the tree
            </button>
            <button type="button" class="danger" onClick={() => run(api?.endTree(target), 'Killed.')}>
              Kill now
            </button>
            <button type="button" onClick={() => run(api?.interrupt(target), 'Interrupted.')}>
              Interrupt
            </button>
          </>
        )}
        <button type="button" class="choice-last" onClick={onClose}>
          Leave it
        </button>
      </div>
    </>
  );
}

function LinkQuestion({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const open = (): void => {
    onClose();
    window.open(address, '_blank', 'noopener,noreferrer');
  };
  return (
    <>
      <h2>A command wrote this link</h2>
      <p class="link-target">
        <code>{safeText(address)}</code>
      </p>
      <div class="choices">
        <button type="button" onClick={onClose}>
          Do not open
        </button>
        <button type="button" onClick={open}>
          Open in a new tab
        </button>
      </div>
    </>
  );
}
