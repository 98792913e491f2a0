// `exec-server attach PROCESS`: its output on this terminal, and this keyboard as its input. The size stays its owner's.

import { setTimeout as delay } from 'node:timers/promises';
import type { ExecObserver, ProcessWatch } from '@codex/exec-client';
import { visibleText } from '@codex/exec-protocol';
import type { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { printError } from '../print-text.js';
import { EscapeKeys } from '../run/escape-keys.js';
import { ownCode } from '../run/exit-codes.js';
import { enterRawMode, terminalSize } from '../run/local-terminal.js';
import { EventOutput } from './event-output.js';
import { findProcess } from './find-process.js';
import { type ObserverFlags, observerCommand, withObserver } from './observer-command.js';

interface AttachFlags extends ObserverFlags {
  readonly readOnly?: boolean;
}

const NOTES = `
Ctrl-] three times within a second leaves; the process goes on. With --read-only nothing is typed, and Ctrl-C leaves. What
the terminal answers to the questions of old output is not sent on. A command that ends while it is watched gives its
exit code.`;

/** A terminal answers what old output asks within this time; keys are not pressed that soon. */
const ANSWERS_MS = 200;

export function attachCommand(): Command {
  return observerCommand('attach')
    .argument('<process>', 'to which one')
    .option('--read-only', 'watch only')
    .addHelpText('after', NOTES)
    .action((word: string, flags: AttachFlags) =>
      withObserver('attach', flags, (observer) => attach(observer, word, flags)),
    );
}

async function attach(observer: ExecObserver, word: string, flags: AttachFlags): Promise<void> {
  const { session, process: found } = await findProcess(observer, word);
  const isJson = flags.json === true;
  const target = { session, processId: found.processId };
  const readOnly = flags.readOnly === true || isJson;
  if (!readOnly && !observer.grants.includes('type')) {
    printError('this connection may watch and not type\n');
  }
  if (!isJson) noteSize(found);
  // From its beginning a terminal is drawn as it was; from its middle it would be drawn wrong.
  const hasBeginning = (found.firstSeq ?? 1) === 1;
  if (!hasBeginning && !isJson) printError('[its beginning is gone; what it draws from now on is shown]\n');
  const watch = await observer.watch(target, hasBeginning ? {} : { tailBytes: 0 });
  const keyboard = new Keyboard({
    typing:
      readOnly || !observer.grants.includes('type') ? undefined : (keys) => observer.write(target, keys),
    leave: () => void watch.close(),
  });
  try {
    await show(watch, new EventOutput({ json: isJson, raw: true }), keyboard);
  } finally {
    keyboard.close();
  }
}

async function show(watch: ProcessWatch, output: EventOutput, keyboard: Keyboard): Promise<void> {
  const end = watch.process?.nextSeq ?? 1;
  let code = 0;
  if (end <= 1) keyboard.open();
  for await (const event of watch) {
    await output.take(event);
    if ('seq' in event && event.seq >= end - 1) keyboard.open();
    if (event.type === 'exited') code = ownCode(event.exitCode);
    if (event.type === 'ended' && event.reason === 'sessionEnded') throw new ExitCode(code === 0 ? 1 : code);
  }
  if (code !== 0) throw new ExitCode(code);
}

function noteSize({ rows, cols }: { rows?: number | null; cols?: number | null }): void {
  const here = terminalSize();
  if (rows == null || cols == null || !process.stdout.isTTY) return;
  if (here.rows >= rows && here.cols >= cols) return;
  const size = visibleText(`${cols}x${rows}`);
  printError(`[its terminal is ${size}, this one ${here.cols}x${here.rows}: make it larger]\n`);
}

interface KeyboardOptions {
  /** Undefined: keys do nothing but leave. */
  readonly typing: ((keys: Uint8Array) => Promise<unknown>) | undefined;
  readonly leave: () => void;
}

/** Closed while old output is shown, so that no answer of this terminal is typed into the process. */
class Keyboard {
  readonly #options: KeyboardOptions;
  readonly #escape = new EscapeKeys();
  readonly #restore: (() => void) | undefined;
  readonly #onKeys = (keys: Buffer): void => this.#take(keys);
  #isOpen = false;
  #isOpening = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    const { stdin } = process;
    // Raw also where nothing is typed: answers of the terminal must not be left for the shell.
    this.#restore = stdin.isTTY ? enterRawMode(stdin) : undefined;
    if (stdin.isTTY || options.typing !== undefined) stdin.on('data', this.#onKeys);
    process.once('SIGINT', options.leave);
    process.once('SIGTERM', options.leave);
  }

  open(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    const waitMs = this.#restore === undefined ? 0 : ANSWERS_MS;
    void delay(waitMs).then(() => {
      this.#isOpen = true;
    });
  }

  close(): void {
    process.stdin.off('data', this.#onKeys);
    process.stdin.pause();
    process.off('SIGINT', this.#options.leave);
    process.off('SIGTERM', this.#options.leave);
    this.#restore?.();
  }

  #take(keys: Buffer): void {
    const { typing, leave } = this.#options;
    const isInterrupt = typing === undefined && keys.includes(3);
    if (isInterrupt || (this.#restore !== undefined && this.#escape.sees(keys, Date.now()))) leave();
    else if (this.#isOpen && typing !== undefined) {
      typing(keys).catch(() => leave());
    }
  }
}
