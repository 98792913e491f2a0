// An owner and an observer of its session.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject, ReceivedMessage } from '../../client/message.js';
import type { CheckContext } from '../../runner/check-context.js';

export interface Watched {
  readonly owner: Conversation;
  readonly observer: Conversation;
  readonly session: string;
  readonly sessionId: string;
}

let ownerCount = 0;

export async function openObserver(t: CheckContext): Promise<Conversation> {
  const observer = await t.connect();
  const result = await t.initialize(observer, { role: 'observer' });
  assert.equal(result['sessionId'], '');
  return observer;
}

export async function openWatched(t: CheckContext, initialize: JsonObject = {}): Promise<Watched> {
  const clientName = `owner ${process.pid}.${++ownerCount}.${Date.now()}`;
  const owner = await t.connect();
  const { sessionId } = await t.initialize(owner, { clientName, ...initialize });
  const observer = await openObserver(t);
  const found = (await sessionsOf(observer)).find((one) => one['clientName'] === clientName);
  assert.ok(found, 'the session of the owner is listed');
  return { owner, observer, session: String(found['session']), sessionId: String(sessionId) };
}

export async function sessionsOf(observer: Conversation): Promise<JsonObject[]> {
  return (await observer.call('sessions/list'))['sessions'] as JsonObject[];
}

/** Notifications of a watch, in the order of arrival. */
export function watchedBy(observer: Conversation, watch: string): ReceivedMessage[] {
  return observer.received.filter(
    ({ method, params }) => method?.startsWith('observe/') && params?.['watch'] === watch,
  );
}

export function watchedText(observer: Conversation, watch: string): string {
  const chunks = watchedBy(observer, watch).filter(({ method }) => method === 'observe/output');
  return Buffer.concat(
    chunks.map(({ params }) => Buffer.from(String(params?.['chunk']), 'base64')),
  ).toString();
}

export function untilWatched(
  observer: Conversation,
  watch: string,
  method: string,
): Promise<ReceivedMessage> {
  return observer.next(
    (message) => message.method === method && message.params?.['watch'] === watch,
    `${method} of ${watch}`,
  );
}

export async function untilWatchedText(observer: Conversation, watch: string, text: string): Promise<void> {
  await observer.until(
    () => (watchedText(observer, watch).includes(text) ? true : undefined),
    `${JSON.stringify(text)} in the watch ${watch}`,
  );
}
