import { describe, expect, it } from 'vitest';
import { type ConsoleGateRules, consoleRefusal, consoleSocketRefusal } from './console-gate.js';

const RULES: ConsoleGateRules = {
  runHost: 'x12.localhost',
  allowHosts: ['box:9000'],
  port: 7777,
  isSecure: false,
};
const OWN = 'http://x12.localhost:7777';

function head(headers: Readonly<Record<string, string>>, url = '/console/', method = 'GET') {
  const rawHeaders = Object.entries({ host: 'x12.localhost:7777', ...headers }).flat();
  return { method, url, headers: {}, rawHeaders };
}
const status = (...args: Parameters<typeof head>): number | undefined =>
  consoleRefusal(head(...args), RULES)?.status;
const socketStatus = (headers: Readonly<Record<string, string>>): number | undefined =>
  consoleSocketRefusal(head(headers, '/console/ws'), RULES)?.status;

describe('a request for the page', () => {
  it('passes by the name of the run, by address and as localhost, with the right port', () => {
    for (const host of ['x12.localhost:7777', '127.0.0.1:7777', '[::1]:7777', 'localhost:7777', 'box:9000'])
      expect(status({ host })).toBeUndefined();
  });
  it('is refused by another name or port, and by none', () => {
    for (const host of [
      'evil.example:7777',
      'x13.localhost:7777',
      '127.0.0.1:7778',
      '127.0.0.1',
      'box:7778',
      '',
    ])
      expect(status({ host })).toBe(403);
    expect(
      consoleRefusal({ method: 'GET', url: '/console/', headers: {}, rawHeaders: [] }, RULES)?.status,
    ).toBe(403);
    const twice = ['host', 'x12.localhost:7777', 'host', 'x12.localhost:7777'];
    expect(
      consoleRefusal({ method: 'GET', url: '/console/', headers: {}, rawHeaders: twice }, RULES)?.status,
    ).toBe(403);
  });
  it('only reads', () => {
    expect(status({}, '/console/', 'HEAD')).toBeUndefined();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(status({}, '/console/', method)).toBe(405);
  });
  it('comes from the page itself or from the address bar', () => {
    expect(status({ 'sec-fetch-site': 'none' })).toBeUndefined();
    expect(status({ 'sec-fetch-site': 'same-origin' }, '/console/assets/a.js')).toBeUndefined();
    for (const site of ['same-site', 'cross-site', 'anything']) {
      expect(status({ 'sec-fetch-site': site })).toBe(403);
      expect(status({ 'sec-fetch-site': site }, '/console/assets/a.js')).toBe(403);
    }
  });
  it('may be a link that somebody follows, and nothing else that a site does', () => {
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(status(link)).toBeUndefined();
    expect(status({ ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
    expect(status({ ...link, 'sec-fetch-mode': 'no-cors' })).toBe(403);
    expect(status(link, '/console/assets/a.js')).toBe(403);
  });
});

describe('a websocket of the page', () => {
  it('has the origin of the host that it asks for', () => {
    expect(socketStatus({ origin: OWN })).toBeUndefined();
    expect(socketStatus({ origin: OWN, 'sec-fetch-site': 'same-origin' })).toBeUndefined();
    expect(socketStatus({ host: '127.0.0.1:7777', origin: 'http://127.0.0.1:7777' })).toBeUndefined();
  });
  it('is refused otherwise', () => {
    for (const origin of [
      'http://x12.localhost:7778',
      'https://x12.localhost:7777',
      'http://evil.example',
      'null',
    ])
      expect(socketStatus({ origin })).toBe(403);
    expect(socketStatus({})).toBe(403);
    expect(socketStatus({ origin: 'http://127.0.0.1:7777' })).toBe(403);
    expect(socketStatus({ origin: OWN, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(socketStatus({ host: 'evil.example:7777', origin: 'http://evil.example:7777' })).toBe(403);
  });
});
