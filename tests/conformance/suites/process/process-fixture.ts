// Starting processes and following what the server says about them, for all suites that need a process.
import assert from 'node:assert/strict';
import type { Conversation, WaitOptions } from '../../client/conversation.js';
import type { JsonObject, ReceivedMessage } from '../../client/message.js';

export interface OutputEvent {
  readonly processId: string;
  readonly seq: number;
  readonly stream: 'stdout' | 'stderr' | 'pty';
  readonly chunk: string;
}

export interface ExitedEvent {
  readonly processId: string;
  readonly seq: number;
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

export const PATH = '/usr/local/bin:/usr/bin:/bin';

export const shell = (script: string): string[] => ['/bin/sh', '-c', script];

/** Params of `process/start` with every required member, on pipes. */
export function startParams(processId: string, argv: readonly string[], more: JsonObject = {}): JsonObject {
  return { processId, argv, cwd: 'file:///', env: { PATH }, tty: false, ...more };
}

/** Starts a shell script and checks the reply. */
export async function startScript(
  connection: Conversation,
  script: string,
  more: JsonObject = {},
): Promise<string> {
  const processId = typeof more['processId'] === 'string' ? more['processId'] : nextProcessId();
  const result = await connection.call('process/start', startParams(processId, shell(script), more));
  assert.equal(result['processId'], processId);
  return processId;
}

let processCount = 0;
export function nextProcessId(): string {
  processCount += 1;
  return `p${processCount}`;
}

/** Every notification about a process, in the order of arrival. */
export function eventsOf(connection: Conversation, processId: string): ReceivedMessage[] {
  return connection.received.filter(
    (message) => message.id === undefined && message.params?.['processId'] === processId,
  );
}

export function outputOf(connection: Conversation, processId: string): OutputEvent[] {
  return eventsOf(connection, processId)
    .filter((message) => message.method === 'process/output')
    .map((message) => message.params as unknown as OutputEvent)
    .sort((a, b) => a.seq - b.seq);
}

export function bytesOf(events: readonly { readonly chunk: string }[]): Buffer {
  return Buffer.concat(events.map((event) => Buffer.from(event.chunk, 'base64')));
}

export function textOf(connection: Conversation, processId: string, stream?: OutputEvent['stream']): string {
  const events = outputOf(connection, processId).filter((event) => !stream || event.stream === stream);
  return bytesOf(events).toString('utf8');
}

/** Waits until the pushed output of a process contains a text. */
export async function untilOutput(
  connection: Conversation,
  processId: string,
  text: string,
): Promise<string> {
  const look = () => {
    const output = textOf(connection, processId);
    return output.includes(text) ? output : undefined;
  };
  return connection.until(look, `output of ${processId} with ${JSON.stringify(text)}`);
}

export async function untilExited(
  connection: Conversation,
  processId: string,
  options: WaitOptions = {},
): Promise<ExitedEvent> {
  const message = await untilEvent(connection, processId, 'process/exited', options);
  return message.params as unknown as ExitedEvent;
}

export async function untilClosed(
  connection: Conversation,
  processId: string,
  options: WaitOptions = {},
): Promise<number> {
  await untilEvent(connection, processId, 'process/exited', options);
  const message = await untilEvent(connection, processId, 'process/closed', options);
  return Number(message.params?.['seq']);
}

function untilEvent(
  connection: Conversation,
  processId: string,
  method: string,
  options: WaitOptions,
): Promise<ReceivedMessage> {
  const matches = (message: ReceivedMessage) =>
    message.method === method && message.params?.['processId'] === processId;
  return connection.next(matches, `${method} of ${processId}`, options);
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

let writeCount = 0;
/** Writes text to the stdin of a process and checks that it was accepted. */
export async function writeText(connection: Conversation, processId: string, text: string): Promise<void> {
  writeCount += 1;
  const params = { processId, chunk: base64(text), writeId: `w${writeCount}` };
  assert.deepEqual(await connection.call('process/write', params), { status: 'accepted' });
}

/** Runs a command to its end and returns everything it wrote. */
export async function outputOfRun(
  connection: Conversation,
  argv: readonly string[],
  more: JsonObject = {},
): Promise<string> {
  const processId = nextProcessId();
  await connection.call('process/start', startParams(processId, argv, more));
  await untilClosed(connection, processId);
  return textOf(connection, processId);
}

/** Reads from the start until nothing is left, as a client that lost its connection does. */
export async function readAll(connection: Conversation, processId: string): Promise<OutputEvent[]> {
  const chunks: OutputEvent[] = [];
  let afterSeq = 0;
  for (;;) {
    const read = await connection.call('process/read', { processId, afterSeq, waitMs: 5_000 });
    chunks.push(...(read['chunks'] as OutputEvent[]));
    const next = Number(read['nextSeq']);
    if (read['closed'] === true && (read['chunks'] as OutputEvent[]).length === 0) return chunks;
    assert.ok(next > afterSeq, 'the cursor moves on');
    afterSeq = Math.max(afterSeq, next - 1);
  }
}
