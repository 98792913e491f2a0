// The events of a watch as output here: bytes to the descriptor of their stream, or lines of JSON.

import type { WatchEvent } from '@codex/exec-client';
import { visibleText } from '@codex/exec-protocol';
import { byteSize } from '../cp/byte-size.js';
import { ExitCode, READER_LEFT } from '../exit-code.js';
import { printError, printJson } from '../print-text.js';
import { DescriptorSink } from '../run/descriptor-sink.js';
import { OutputFilter } from './output-filter.js';

export interface EventOutputOptions {
  readonly json: boolean;
  /** Passes on every byte, also to a terminal. */
  readonly raw: boolean;
}

export class EventOutput {
  readonly #json: boolean;
  readonly #stdout = new DescriptorSink(1);
  readonly #stderr = new DescriptorSink(2);
  readonly #filters: { readonly stdout?: OutputFilter; readonly stderr?: OutputFilter };

  constructor({ json, raw }: EventOutputOptions) {
    this.#json = json;
    this.#filters = {
      ...(process.stdout.isTTY && !raw ? { stdout: new OutputFilter() } : {}),
      ...(process.stderr.isTTY && !raw ? { stderr: new OutputFilter() } : {}),
    };
  }

  async take(event: WatchEvent): Promise<void> {
    if (this.#json) {
      if (!printJson(jsonOf(event))) throw new ExitCode(READER_LEFT);
    } else if (event.type === 'output')
      await this.#write(event.stream === 'stderr' ? 'stderr' : 'stdout', event.bytes);
    else if (event.type === 'gap') printError(gapNote(event));
  }

  #write(stream: 'stdout' | 'stderr', bytes: Uint8Array): Promise<void> {
    const sink = stream === 'stderr' ? this.#stderr : this.#stdout;
    return sink.write(this.#filters[stream]?.take(bytes) ?? bytes);
  }
}

function gapNote({ bytes, fromSeq, toSeq, why }: Extract<WatchEvent, { type: 'gap' }>): string {
  const what = why === 'evicted' ? 'are gone' : 'were skipped';
  return `[${visibleText(`${byteSize(bytes)} ${what}: events ${fromSeq} to ${toSeq}`)}]\n`;
}

/** Output as text where it is text, and as base64 where it is not. */
function jsonOf(event: WatchEvent): Record<string, unknown> {
  if (event.type !== 'output') return { ...event };
  const { bytes, ...rest } = event;
  const text = Buffer.from(bytes).toString('utf8');
  const isText = Buffer.from(text).equals(Buffer.from(bytes));
  return { ...rest, ...(isText ? { text } : { base64: Buffer.from(bytes).toString('base64') }) };
}
