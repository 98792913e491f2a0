import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FleetKeys } from './fleet-keys.js';

it('makes no configuration from a list of revoked keys that it cannot read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = FleetKeys.create(join(folder, 'keys'), ['acme']);
  keys.revoke('acme', 'UAAA');
  expect(keys.brokerConfig()).toContain('resolver: MEMORY');
  // As a write that was interrupted leaves it.
  writeFileSync(join(folder, 'keys', 'accounts', 'acme', 'revoked.json'), '{"UAA');
  expect(() => keys.brokerConfig()).toThrow('cannot read the revoked keys');
  expect(() => keys.revoke('acme', 'UBBB')).toThrow('cannot read the revoked keys');
});
