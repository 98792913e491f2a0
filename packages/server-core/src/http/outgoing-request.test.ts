import { describe, expect, it } from 'vitest';
import { outgoingRequest } from './outgoing-request.js';

const to = (url: string) => outgoingRequest({ method: 'GET', url, requestId: 'r' }, {});

describe('outgoingRequest', () => {
  it('takes a URL of 64 KiB, and refuses a longer one before it is parsed', () => {
    const base = 'http://host/';
    expect(to(base.padEnd(64 * 1024, 'x')).url.pathname).toHaveLength(64 * 1024 - 'http://host'.length);
    expect(() => to(base.padEnd(64 * 1024 + 1, 'x'))).toThrow('longer than 65536 characters');
    expect(() => to(`http://${'ä'.repeat(100_000)}`)).toThrow('longer than 65536 characters');
  });
});
