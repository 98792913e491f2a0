// A check that cannot fail shows nothing: every one must fail on servers that answer everything alike.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patience, setPatience } from '../client/patience.js';
import { planChecks } from '../runner/plan.js';
import { runCheck } from '../runner/run-check.js';
import type { RunningServer } from '../targets/target.js';
import { dumbTarget } from './dumb-server.js';

const IMPATIENT_MS = 300;
const AT_ONCE = 40;

/** A plain websocket server has these too. */
const PLAIN_WEBSOCKET = /^transport\.(frame|connection|upgrade|http)\./;

describe.each([
  ['an empty result', { result: {} }],
  ['a refusal', { error: { code: -32600, message: 'no' } }],
])('on a server that answers everything with %s', (name, answer) => {
  const target = dumbTarget(name, answer);
  const before = patience();
  let server: RunningServer | undefined;

  beforeAll(async () => {
    setPatience(IMPATIENT_MS);
    server = await target.start();
  });
  afterAll(async () => {
    setPatience(before);
    await server?.stop();
  });

  it('no check holds', async () => {
    const url = server?.url ?? '';
    const waiting = planChecks(target).filter(({ requirement }) => !PLAIN_WEBSOCKET.test(requirement.id));
    const held: string[] = [];
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const failure = await runCheck({ target, url, check: next.check });
        if (!failure) held.push(next.requirement.id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(held).toEqual([]);
  });
});
