import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FleetKeys } from './fleet-keys.js';

it('makes no configuration from a list of revoked keys that it cannot read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  const [key, other] = ['A', 'B'].map((letter) => `U${letter.repeat(55)}`) as [string, string];
  keys.revoke('acme', key);
  expect(keys.brokerConfig()).toContain('resolver: MEMORY');
  // As a write that was interrupted leaves it.
  writeFileSync(join(folder, 'keys', 'accounts', 'acme', 'revoked.json'), '{"UAA');
  expect(() => keys.brokerConfig()).toThrow('cannot read the revoked keys');
  expect(() => keys.revoke('acme', other)).toThrow('cannot read the revoked keys');
});

it('revokes keys only: a typing error must not look like a revocation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  const { key } = keys.mint({ account: 'acme', role: 'client', environments: ['*'], name: 'c' });
  for (const wrong of ['', 'NONSENSE', key.slice(1), `${key}A`, key.toLowerCase()])
    expect(() => keys.revoke('acme', wrong)).toThrow('is no key: use the one that');
  keys.revoke('acme', key);
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
