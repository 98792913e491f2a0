import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { connectionHints } from './connection-hints.js';

describe('connectionHints', () => {
  it('gives the variable that Codex reads', () => {
    const hints = connectionHints('ws://127.0.0.1:1', { needsToken: false });
    expect(hints).toContain('CODEX_EXEC_SERVER_URL=ws://127.0.0.1:1 codex\n');
    expect(hints).toContain('exec-server run --url ws://127.0.0.1:1 -- uname -s ');
  });

  it.each(['wss://0.0.0.0:7070', 'wss://[::]:7070'])('names the machine that listens on %s', (url) => {
    const hints = connectionHints(url, { needsToken: true });
    expect(hints).toContain(`url = "wss://${hostname()}:7070"`);
    expect(hints).toContain(`--url wss://${hostname()}:7070 --token-file`);
    expect(connectionHints('ws://[::1]:1', { needsToken: false })).toContain('--url ws://[::1]:1 ');
  });

  it('gives the file that can carry a token where one is needed', () => {
    const hints = connectionHints('ws://127.0.0.1:1', { needsToken: true });
    expect(hints).not.toContain('CODEX_EXEC_SERVER_URL');
    expect(hints).toContain(
      'environments.toml:  [[environments]] id = "box", url = "ws://127.0.0.1:1", auth_bearer_token',
    );
    expect(hints).toContain('exec-server run --url ws://127.0.0.1:1 --token-file FILE -- uname -s ');
  });
});
