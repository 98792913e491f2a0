import { describe, expect, it } from 'vitest';
import { isHostAllowed, rawHeaderValues } from './host-gate.js';

const allowed = (host: string, allowHosts: string[] = []) => isHostAllowed([host], { allowHosts });

describe('host gate', () => {
  it.each(['127.0.0.1', '127.0.0.1:5555', 'localhost', 'LocalHost:80', '[::1]', '[::1]:9', '10.1.2.3:65535'])(
    'lets %s pass',
    (host) => expect(allowed(host)).toBe(true),
  );

  it.each([
    'evil.example',
    'evil.example:5555',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost:80@evil.example',
    'evil.example:127.0.0.1',
    '[::1].evil.example',
    '[::1',
    '[evil.example]',
    '[127.0.0.1]',
    '::1',
    '2130706433',
    '0x7f.1',
    'localhost.',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:80:80',
    '127.0.0.1, evil.example',
    '127.0.0.1/evil.example',
    ' 127.0.0.1',
    '',
  ])('refuses %j', (host) => expect(allowed(host)).toBe(false));

  it('lets listed names pass, whatever their case or port', () => {
    expect(allowed('Build.Example:443', ['build.example'])).toBe(true);
    expect(allowed('other.example', ['build.example'])).toBe(false);
  });

  it('refuses none and two', () => {
    expect(isHostAllowed([], { allowHosts: [] })).toBe(false);
    expect(isHostAllowed(['localhost', 'localhost'], { allowHosts: [] })).toBe(false);
  });

  it('finds all values of a header', () => {
    expect(rawHeaderValues(['Host', 'a', 'X', 'b', 'hOST', 'c'], 'host')).toEqual(['a', 'c']);
  });
});
