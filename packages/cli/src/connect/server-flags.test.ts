import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serverAddress } from './server-flags.js';

const folder = mkdtempSync(join(tmpdir(), 'server-flags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const TOKEN = { CODEX_EXEC_SERVER_TOKEN: 'from-environment' };

describe('serverAddress', () => {
  it.each([undefined, '', 'none', 'local'])('%j is a server in this process', (url) => {
    expect(serverAddress(url === undefined ? {} : { url }, TOKEN)).toEqual({});
  });

  it('takes the token from a file before the environment', () => {
    const url = 'ws://127.0.0.1:7777';
    expect(serverAddress({ url }, {}).token).toBeUndefined();
    expect(serverAddress({ url }, TOKEN).token).toBe('from-environment');
    expect(serverAddress({ url, tokenFile: file('t', ' secret\n') }, TOKEN).token).toBe('secret');
  });

  it('says what is wrong with a token file', () => {
    const url = 'ws://127.0.0.1:7777';
    expect(() => serverAddress({ url, tokenFile: join(folder, 'none') }, {})).toThrow(
      'cannot read the token',
    );
    expect(() => serverAddress({ url, tokenFile: file('empty', '\n') }, {})).toThrow('is empty');
    expect(() => serverAddress({ tokenFile: file('t', 'x') }, {})).toThrow('`--token-file` needs `--url`');
  });

  it.each(['ws://127.0.0.1:1', 'ws://localhost:1', 'ws://[::1]:1', 'wss://far.example'])(
    'sends a token to %s',
    (url) => {
      expect(serverAddress({ url }, TOKEN).token).toBeDefined();
    },
  );

  it('sends no token in the clear to another machine unless told', () => {
    const url = 'ws://far.example:1';
    expect(() => serverAddress({ url }, TOKEN)).toThrow('in the clear');
    expect(() => serverAddress({ url: 'ws://127.0.0.1.far.example' }, TOKEN)).toThrow('in the clear');
    expect(serverAddress({ url, insecurePlaintext: true }, TOKEN).token).toBeDefined();
    expect(serverAddress({ url }, {}).url).toBe('ws://far.example:1/');
  });

  it('refuses credentials in the URL without repeating them', () => {
    const attempt = () => serverAddress({ url: 'ws://me:pa55@h' }, {});
    expect(attempt).toThrow('must not hold credentials');
    expect(attempt).not.toThrow('pa55');
    expect(() => serverAddress({ url: 'http://h' }, {})).toThrow('starts with ws:// or wss://');
    expect(() => serverAddress({ url: 'pa55' }, {})).toThrow(/^`--url` is not a URL/);
  });
});
