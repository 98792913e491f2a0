import { describe, expect, it } from 'vitest';
import { parseBrokerAddress } from './broker-address.js';
import { PublishGate } from './publish-gate.js';

describe('the address of a broker', () => {
  it('is plain on loopback only, unless that is accepted', () => {
    expect(parseBrokerAddress('nats://127.0.0.1:4222').needsTls).toBe(false);
    expect(parseBrokerAddress('nats://localhost').servers).toEqual(['localhost:4222']);
    expect(parseBrokerAddress('nats://far.example').needsTls).toBe(true);
    expect(parseBrokerAddress('tls://127.0.0.1').needsTls).toBe(true);
    expect(parseBrokerAddress('nats://far.example', { insecurePlaintext: true }).needsTls).toBe(false);
    expect(() => parseBrokerAddress('ws://far.example')).toThrow('in the clear');
    // Nor does a broker lead elsewhere then.
    expect(parseBrokerAddress('nats://127.0.0.1:4222').learnsServers).toBe(false);
    expect(parseBrokerAddress('tls://127.0.0.1').learnsServers).toBe(true);
  });

  it('may name all servers of a cluster', () => {
    expect(parseBrokerAddress('tls://a:1, tls://b').servers).toEqual(['a:1', 'b:4222']);
    expect(() => parseBrokerAddress('tls://a,nats://b')).toThrow('same scheme');
  });

  it('holds no secret, and is not repeated when it does', () => {
    const attempt = () => parseBrokerAddress('nats://me:pa55@h');
    expect(attempt).toThrow('must not hold credentials');
    expect(attempt).not.toThrow('pa55');
    expect(() => parseBrokerAddress('http://h')).toThrow('starts with nats://');
    expect(() => parseBrokerAddress('nats://')).toThrow('not an address');
  });
});

describe('what is handed to the library', () => {
  it('is bounded: channels wait until the broker has taken some, and go on by turns', async () => {
    const taken: (() => void)[] = [];
    const gate = new PublishGate(() => new Promise((resolve) => taken.push(resolve)));
    const pumped: number[] = [];
    const waiters = [0, 1].map((index) => ({ pump: () => pumped.push(index) }));
    for (let mebibytes = 0; mebibytes < 16; mebibytes++) {
      expect(gate.mustWait({ pump: () => undefined })).toBe(false);
      gate.published(1024 * 1024);
    }
    expect(waiters.map((waiter) => gate.mustWait(waiter))).toEqual([true, true]);
    taken[0]?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(pumped).toEqual([0, 1]);
    expect(gate.pendingBytes).toBe(15 * 1024 * 1024);
  });
});
