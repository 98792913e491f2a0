// Sends signals, sizes and termination requests for one process, and stops it.

import type { ProcessSignal } from '@codex/exec-protocol';
import type { Capabilities } from '../../capabilities.js';
import { checkSignalName } from '../../options/argument-rules.js';
import type { SessionLink } from '../../session/session-link.js';
import type { StopPolicy } from '../../spawn-options.js';
import type { StopCause } from '../end/process-outcome.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { stopProcess } from './stop-ladder.js';

export interface ControlParts {
  readonly link: SessionLink;
  readonly feed: ProcessFeed;
  readonly capabilities: Capabilities;
  readonly stop: StopPolicy;
}

export class ProcessControl {
  readonly #parts: ControlParts;
  #stopping: Promise<void> | undefined;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  async signal(name: ProcessSignal): Promise<void> {
    checkSignalName(name);
    const { link, feed, capabilities } = this.#parts;
    const isInterrupt = name === 'interrupt' || name === 'SIGINT';
    if (!isInterrupt) capabilities.require('signal.any', `Sending ${name}`);
    const params = { processId: feed.processId, signal: isInterrupt ? 'interrupt' : name } as const;
    await link.ask('process/signal', params, { control: true });
  }

  async terminate(): Promise<{ readonly wasRunning: boolean }> {
    const { link, feed } = this.#parts;
    feed.stopping({ kind: 'terminated' });
    const params = { processId: feed.processId };
    const { running } = await link.ask('process/terminate', params, { repeatable: true, control: true });
    return { wasRunning: running };
  }

  async resize(size: { readonly rows: number; readonly cols: number }): Promise<void> {
    const { link, feed, capabilities } = this.#parts;
    capabilities.require('pty.resize', 'Resizing a terminal');
    await link.ask('process/resize', { processId: feed.processId, ...size }, { repeatable: true });
  }

  /** The ladder behind timeouts, abort signals, stop and dispose. It runs once, and the first cause counts. */
  stopBecause(cause: StopCause, policy: StopPolicy = {}): Promise<void> {
    const { feed, stop, capabilities } = this.#parts;
    this.#stopping ??= stopProcess({
      feed,
      clock: feed.clock,
      policy: { ...stop, ...policy },
      cause,
      requests: {
        interrupt: () => this.signal('interrupt'),
        terminate: () => this.terminate(),
        endBackground: capabilities.supports('terminate.tree') ? () => this.#endBackground() : undefined,
      },
    });
    return this.#stopping;
  }

  async #endBackground(): Promise<void> {
    const { link, feed } = this.#parts;
    const params = { processId: feed.processId, mode: { type: 'tree' } } as const;
    await link.ask('process/terminate', params, { repeatable: true, control: true });
  }
}
