import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FleetKeys } from './fleet-keys.js';

it('makes no configuration from a list of revoked keys that it cannot read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  const [key, other] = ['A', 'B'].map((letter) => `U${letter.repeat(55)}`) as [string, string];
  keys.revoke(key, 'acme');
  expect(keys.brokerConfig()).toContain('resolver: MEMORY');
  // As a write that was interrupted leaves it.
  writeFileSync(join(folder, 'keys', 'accounts', 'acme', 'revoked.json'), '{"UAA');
  expect(() => keys.brokerConfig()).toThrow('cannot read the revoked keys');
  expect(() => keys.revoke(other, 'acme')).toThrow('cannot read the revoked keys');
});

it('revokes keys only: a typing error must not look like a revocation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  const { key } = keys.mint({ account: 'acme', role: 'client', environments: ['*'], name: 'c' });
  for (const wrong of ['', 'NONSENSE', key.slice(1), `${key}A`, key.toLowerCase()])
    expect(() => keys.revoke(wrong)).toThrow('is no key: use the one that');
  keys.revoke(key);
});

it('binds an executor to a machine unless it is told not to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  const executor = { account: 'acme', role: 'executor', environments: ['*'], name: 'x' } as const;
  expect(() => keys.mint(executor)).toThrow('an executor needs the name of its machine');
  keys.mint({ ...executor, machine: 'x1' });
  keys.mint({ ...executor, machine: '*' });
});

describe('a key', () => {
  const twoAccounts = () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const keys = FleetKeys.create(join(folder, 'keys'), ['red', 'blue']);
    const { key } = keys.mint({ account: 'blue', role: 'client', environments: ['gpu'], name: 'ci' });
    return { folder: join(folder, 'keys'), keys, key };
  };

  it('is revoked in the account that it was minted in, and in no other', () => {
    const { keys, key } = twoAccounts();
    expect(() => keys.revoke(key, 'red')).toThrow('is of account blue, not of red');
    expect(keys.minted()[0]?.isRevoked).toBe(false);
    expect(keys.revoke(key)).toBe('blue');
    expect(keys.minted()).toMatchObject([
      { account: 'blue', role: 'client', environments: ['gpu'], name: 'ci', key, isRevoked: true },
    ]);
  });

  it('that nobody knows is revoked only where its account is said', () => {
    const { keys } = twoAccounts();
    const other = `U${'A'.repeat(55)}`;
    expect(() => keys.revoke(other)).toThrow('no credentials with the key');
    expect(keys.revoke(other, 'red')).toBe('red');
  });

  it('is listed although the last line of the list was cut off', () => {
    const { keys, key, folder } = twoAccounts();
    writeFileSync(join(folder, 'accounts', 'blue', 'minted.jsonl'), '{"key":"UA', { flag: 'a' });
    expect(keys.minted().map((minted) => minted.key)).toEqual([key]);
    const later = keys.mint({ account: 'blue', role: 'client', environments: ['gpu'], name: 'ci' }).key;
    expect(keys.minted().map((minted) => minted.key)).toEqual([key, later]);
  });
});
