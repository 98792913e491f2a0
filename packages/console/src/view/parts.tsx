// Small things that many views use.

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ProcessRow } from '../model/process-row.js';
import { formatDuration } from '../text/format.js';
import { maskSecrets } from '../text/secrets.js';
import { now, tell } from './context.js';
import { Icon } from './icons.js';

interface CommandProps {
  readonly text: string;
  /** Inside of something that is clicked: what is masked stays so. */
  readonly isInert?: boolean;
}

/** A command, with what looks like a secret behind a click; what the server has masked is not known here. */
export function Command({ text, isInert = false }: CommandProps) {
  const isShown = useSignal(false);
  const parts = maskSecrets(text);
  return (
    <span class="command" dir="ltr">
      {parts.map((part, index) => {
        if (!part.isSecret || (isShown.value && !isInert)) return part.text;
        if (isInert || part.isMasked)
          return (
            <span key={index} class="secret" title="Masked: it looks like a secret">
              ••••••
            </span>
          );
        return (
          <button
            key={index}
            type="button"
            class="secret"
            title="Looks like a secret. Show it"
            onClick={(event) => {
              event.stopPropagation();
              isShown.value = true;
            }}
          >
            ••••••
          </button>
        );
      })}
    </span>
  );
}

export type Mark = 'run' | 'good' | 'bad' | 'warn' | 'wait' | 'off';

export function markOf(process: ProcessRow): Mark {
  if (process.denied) return 'warn';
  switch (process.state) {
    case 'starting':
      return 'wait';
    case 'running':
      return process.stalled ? 'wait' : 'run';
    case 'refused':
    case 'lost':
      return 'bad';
    case 'exited':
    case 'closed':
      if (process.alive) return 'warn';
      return process.exitCode === 0 ? 'good' : 'bad';
  }
}

const MARKS: Readonly<Record<Mark, readonly [string, string]>> = {
  run: ['●', 'running'],
  good: ['✓', 'succeeded'],
  bad: ['✕', 'failed'],
  warn: ['▲', 'needs a look'],
  wait: ['◌', 'waits'],
  off: ['○', 'over'],
};

export function MarkSign({ mark, text }: { readonly mark: Mark; readonly text?: string }) {
  const [sign, name] = MARKS[mark];
  return (
    <span class={`mark mark-${mark}`} role="img" aria-label={text ?? name} title={text ?? name}>
      {sign}
    </span>
  );
}

export function stateText(process: ProcessRow): string {
  if (process.denied) return 'denied';
  if (process.state === 'running' && process.stalled) return 'stalled';
  if ((process.state === 'exited' || process.state === 'closed') && process.exitCode !== undefined)
    return process.alive ? `exit ${process.exitCode}, tree alive` : `exit ${process.exitCode}`;
  return process.state;
}

/** How long it runs or ran. Only a running one looks at the clock. */
export function Took({ process }: { readonly process: ProcessRow }) {
  const end = process.endedAtMs ?? now.value;
  return <span class="took">{formatDuration(end - process.startedAtMs)}</span>;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => tell('Copied.'),
      () => tell('The browser did not allow copying.'),
    );
  };
  return (
    <button type="button" class="quiet-button" onClick={copy} title={label} aria-label={label}>
      <Icon name="copy" />
    </button>
  );
}

export function FilterField({ filter, label }: { readonly filter: Signal<string>; readonly label: string }) {
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={filter.value}
      onInput={(event) => {
        filter.value = event.currentTarget.value;
      }}
    />
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Gives a file to the browser to save. */
export function download(name: string, type: string, pieces: Iterable<string>): void {
  const address = URL.createObjectURL(new Blob([...pieces], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
