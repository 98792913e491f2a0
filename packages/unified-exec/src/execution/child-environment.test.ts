import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.js';

const facts = { threadId: 't', callId: 'c', isNetworkOff: false, childEnv: {} };

describe('the environment of a command', () => {
  it('makes output plain and names the call', () => {
    expect(childEnvironment(facts)).toEqual({
      NO_COLOR: '1',
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      LC_CTYPE: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      COLORTERM: '',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GH_PAGER: 'cat',
      CODEX_CI: '1',
      CODEX_THREAD_ID: 't',
      CODEX_SESSION_ID: 't',
      CODEX_TOOL_CALL_ID: 'c',
    });
  });

  it('says that there is no network, and lets the application have the last word', () => {
    const env = childEnvironment({ ...facts, isNetworkOff: true, childEnv: { NO_COLOR: '0', HOME: '/h' } });
    expect(env).toMatchObject({
      CODEX_SANDBOX_NETWORK_DISABLED: '1',
      NO_COLOR: '0',
      HOME: '/h',
      TERM: 'dumb',
    });
  });

  it('has no NUL in the name of a call, which is chosen by others', () => {
    expect(childEnvironment({ ...facts, callId: 'a\0b' })['CODEX_TOOL_CALL_ID']).toBe('ab');
  });
});
