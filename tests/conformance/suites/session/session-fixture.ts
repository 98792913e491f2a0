// Sessions that a client can come back to.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { CheckContext } from '../../runner/check-context.js';

interface Resumable {
  readonly holder: Conversation;
  readonly sessionId: string;
}

export async function openResumable(t: CheckContext, more: Record<string, unknown> = {}): Promise<Resumable> {
  const holder = await t.connect();
  const result = await t.initialize(holder, { resumeSessionId: null, ...more });
  return { holder, sessionId: String(result['sessionId']) };
}

/** Resumes as the real client does: asks again while the server has not noticed the cut. */
export async function resume(connection: Conversation, sessionId: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const id = connection.request('initialize', { clientName: 'conformance', resumeSessionId: sessionId });
    const reply = await connection.reply(id);
    if (reply.result) {
      connection.notify('initialized', {});
      return reply.result as Record<string, unknown>;
    }
    assert.equal(reply.error?.code, -32010, `resume was refused: ${reply.error?.message}`);
    assert.ok(Date.now() < deadline, 'the session stayed attached after its connection had gone');
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function dropAndResume(
  t: CheckContext,
  holder: Conversation,
  sessionId: string,
): Promise<Conversation> {
  holder.drop();
  const connection = await t.connect();
  assert.equal((await resume(connection, sessionId))['sessionId'], sessionId);
  return connection;
}
