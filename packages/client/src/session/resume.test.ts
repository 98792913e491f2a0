import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { setUp } from '../../test-support/scripted-client.js';
import { turns } from '../../test-support/scripted-server.js';

describe('resuming a session', () => {
  it('says that somebody holds the session to be resumed', async () => {
    const { server, clock, connect } = setUp();
    server.answers['initialize'] = () => {
      throw new RpcError(RpcErrorCode.sessionAttached, 'session s1 is attached');
    };
    const resuming = connect({ resume: { sessionId: 's1' }, connectTimeoutMs: 1000 }).catch(
      (error: unknown) => error,
    );
    for (let step = 0; step < 20; step++) {
      await turns();
      await clock.advance(100);
    }
    expect(await resuming).toMatchObject({
      code: 'session.held',
      name: 'ExecServerError',
      message: 'session s1 is held by another connection',
      retryable: true,
    });
  });
});
