import { describe, expect, it } from 'vitest';
import type { OutgoingRequest } from './outgoing-request.js';
import { followRedirect } from './redirect.js';

const header = (name: string, value: string, isFromEnvironment = false) => ({
  name,
  value,
  isFromEnvironment,
});

const POST: OutgoingRequest = {
  method: 'POST',
  url: new URL('https://a.example/one'),
  headers: [
    header('content-type', 'text/plain'),
    header('authorization', 'secret'),
    header('x-key', 'from the environment', true),
    header('x-plain', 'stays'),
  ],
  body: new Uint8Array([1]),
};

const namesAfter = (status: number, location: string) =>
  followRedirect(POST, { status, location })?.headers.map(({ name }) => name);

describe('followRedirect', () => {
  it.each([
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('after %i sends %s', (status, method) => {
    const next = followRedirect(POST, { status, location: '/two' });
    expect(next).toMatchObject({ method, body: method === 'GET' ? undefined : POST.body });
    expect(next?.url.href).toBe('https://a.example/two');
  });

  it('keeps everything on the same origin, and names where it comes from', () => {
    expect(namesAfter(307, '/two')).toEqual([...POST.headers.map(({ name }) => name), 'referer']);
  });

  it('tells another origin neither credentials nor variables of the environment', () => {
    expect(namesAfter(307, 'https://b.example/')).toEqual(['content-type', 'x-plain', 'referer']);
    expect(followRedirect(POST, { status: 307, location: 'https://b.example/' })?.headers.at(-1)?.value).toBe(
      'https://a.example/',
    );
  });

  it('counts another port as another origin', () => {
    expect(namesAfter(307, 'https://a.example:8443/')).not.toContain('authorization');
  });

  it('gives no referer to an unencrypted target', () => {
    expect(namesAfter(303, 'http://a.example/')).toEqual(['x-plain']);
  });

  it('leaves alone what is no redirect', () => {
    expect(followRedirect(POST, { status: 304, location: '/two' })).toBeUndefined();
    expect(followRedirect(POST, { status: 302, location: undefined })).toBeUndefined();
    expect(followRedirect(POST, { status: 302, location: 'http://' })).toBeUndefined();
  });

  it('does not leave http', () => {
    expect(() => followRedirect(POST, { status: 302, location: 'file:///etc/passwd' })).toThrow(
      'redirect target uses unsupported URL scheme: file',
    );
  });
});
