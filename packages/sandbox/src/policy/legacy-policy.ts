// The policies of older clients, as profiles. Both spellings they have had on the wire are read by `parse-policy.ts`.
import type { PolicyEntry, SandboxPolicy } from './policy-model.js';

export type LegacyPolicy =
  | { readonly type: 'danger-full-access' }
  | { readonly type: 'read-only'; readonly networkAccess: boolean }
  | { readonly type: 'external-sandbox'; readonly networkAccess: boolean }
  | {
      readonly type: 'workspace-write';
      readonly writableRoots: readonly string[];
      readonly networkAccess: boolean;
      readonly excludeTmpdirEnvVar: boolean;
      readonly excludeSlashTmp: boolean;
    };

/** The metadata of writable roots needs no entry here: it is protected in every profile. */
export function projectLegacyPolicy(legacy: LegacyPolicy): SandboxPolicy {
  if (legacy.type === 'danger-full-access')
    return { fileSystem: { type: 'unrestricted' }, network: 'enabled' };
  const network = legacy.networkAccess ? 'enabled' : 'restricted';
  if (legacy.type === 'external-sandbox') return { fileSystem: { type: 'external' }, network };
  const entries: PolicyEntry[] = [{ path: { type: 'root' }, access: 'read' }];
  if (legacy.type === 'workspace-write') {
    entries.push({ path: { type: 'workspaceRoots' }, access: 'write' });
    if (!legacy.excludeSlashTmp) entries.push({ path: { type: 'slashTmp' }, access: 'write' });
    if (!legacy.excludeTmpdirEnvVar) entries.push({ path: { type: 'tmpdir' }, access: 'write' });
    for (const path of legacy.writableRoots) entries.push({ path: { type: 'path', path }, access: 'write' });
  }
  return { fileSystem: { type: 'restricted', entries }, network };
}
