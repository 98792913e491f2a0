// Permission profiles as they stand on the wire (`permissions`, snake case, paths as `file:` URIs or plain paths), and
// the tagged legacy policies in both their spellings.
import { type LegacyPolicy, projectLegacyPolicy } from './legacy-policy.js';
import { maxPolicyPaths } from './policy-limits.js';
import type { Access, FileSystemPolicy, PolicyEntry, PolicyPath, SandboxPolicy } from './policy-model.js';
import { refuse, WireReader } from './wire-reader.js';

const networks = ['restricted', 'enabled'] as const;
const workspaceGlob = 'codex-project-roots://';

export interface ParsedPolicy {
  readonly policy: SandboxPolicy;
  /** A legacy policy means the working directory where it says workspace. */
  readonly legacy: boolean;
}

/** `workspaceRoots` are needed for globs that are relative to them. */
export function parsePolicy(value: unknown, workspaceRoots: readonly string[]): ParsedPolicy {
  const reader = new WireReader(value, 'permissions');
  const type = reader.string('type');
  const profile = (policy: SandboxPolicy): ParsedPolicy => {
    reader.refuseOthers();
    return { policy, legacy: false };
  };
  if (type === 'disabled') return profile({ fileSystem: { type: 'unrestricted' }, network: 'enabled' });
  if (type === 'external') {
    return profile({ fileSystem: { type: 'external' }, network: reader.oneOf('network', networks) });
  }
  if (type === 'managed') {
    const fileSystem = parseFileSystem(reader.child('file_system'), workspaceRoots);
    return profile({ fileSystem, network: reader.oneOf('network', networks) });
  }
  const legacy = parseLegacy(reader, type);
  reader.refuseOthers();
  return { policy: projectLegacyPolicy(legacy), legacy: true };
}

function parseLegacy(reader: WireReader, type: string): LegacyPolicy {
  switch (type) {
    case 'danger-full-access':
    case 'dangerFullAccess':
    case 'DangerFullAccess':
      return { type: 'danger-full-access' };
    case 'read-only':
      return { type: 'read-only', networkAccess: reader.flag('network_access') };
    case 'readOnly':
    case 'ReadOnly':
      return { type: 'read-only', networkAccess: reader.flag('networkAccess') };
    case 'external-sandbox':
      return externalSandbox(reader, 'network_access');
    case 'externalSandbox':
    case 'ExternalSandbox':
      return externalSandbox(reader, 'networkAccess');
    case 'workspace-write':
      return {
        type: 'workspace-write',
        writableRoots: reader.paths('writable_roots'),
        networkAccess: reader.flag('network_access'),
        excludeTmpdirEnvVar: reader.flag('exclude_tmpdir_env_var'),
        excludeSlashTmp: reader.flag('exclude_slash_tmp'),
      };
    case 'workspaceWrite':
    case 'WorkspaceWrite':
      return {
        type: 'workspace-write',
        writableRoots: reader.paths('writableRoots'),
        networkAccess: reader.flag('networkAccess'),
        excludeTmpdirEnvVar: reader.flag('excludeTmpdirEnvVar'),
        excludeSlashTmp: reader.flag('excludeSlashTmp'),
      };
    default:
      throw refuse('permissions.type', `is ${JSON.stringify(type)}, which this version does not know`);
  }
}

function externalSandbox(reader: WireReader, name: string): LegacyPolicy {
  return {
    type: 'external-sandbox',
    networkAccess: reader.oneOf(name, networks, 'restricted') === 'enabled',
  };
}

function parseFileSystem(reader: WireReader, workspaceRoots: readonly string[]): FileSystemPolicy {
  if (reader.oneOf('type', ['restricted', 'unrestricted']) === 'unrestricted') {
    reader.refuseOthers();
    return { type: 'unrestricted' };
  }
  reader.required('entries');
  const entries: PolicyEntry[] = [];
  for (const [index, item] of reader.list('entries').entries()) {
    for (const entry of parseEntry(item, index, workspaceRoots)) entries.push(entry);
    // A glob of the workspace is one for each root.
    if (entries.length > maxPolicyPaths) {
      throw refuse(
        'permissions.file_system.entries',
        `are more than ${maxPolicyPaths}, and bubblewrap cannot mount so many`,
      );
    }
  }
  const depth = reader.optional('glob_scan_max_depth');
  if (depth !== undefined && (typeof depth !== 'number' || !Number.isSafeInteger(depth) || depth < 1)) {
    throw refuse('permissions.file_system.glob_scan_max_depth', 'is not a positive integer');
  }
  reader.refuseOthers();
  return { type: 'restricted', entries, ...(typeof depth === 'number' ? { globScanMaxDepth: depth } : {}) };
}

function parseEntry(value: unknown, index: number, workspaceRoots: readonly string[]): PolicyEntry[] {
  const reader = new WireReader(value, `permissions.file_system.entries[${index}]`);
  const named = reader.oneOf('access', ['read', 'write', 'deny', 'none']);
  const access: Access = named === 'none' ? 'deny' : named;
  // On this platform it changes nothing: what is missing is protected either way.
  reader.oneOf('missing_path_behavior', ['skip'], 'skip');
  const paths = parsePath(reader.child('path'), access, workspaceRoots);
  reader.refuseOthers();
  return paths.map((path) => ({ path, access }));
}

function parsePath(reader: WireReader, access: Access, workspaceRoots: readonly string[]): PolicyPath[] {
  const type = reader.oneOf('type', ['path', 'glob_pattern', 'special']);
  const done = (paths: PolicyPath[]): PolicyPath[] => {
    reader.refuseOthers();
    return paths;
  };
  if (type === 'path') return done([{ type: 'path', path: reader.path('path') }]);
  if (type === 'special') return done(parseSpecial(reader.child('value'), access));
  const pattern = reader.string('pattern');
  if (!pattern.startsWith(workspaceGlob)) return done([{ type: 'glob', pattern }]);
  const relative = pattern.slice(workspaceGlob.length);
  if (relative.split('/').includes('..')) throw refuse('a workspace glob', 'leaves the workspace');
  return done(
    workspaceRoots.map((root) => ({ type: 'glob', pattern: `${root}/${relative.replace(/^\/+/, '')}` })),
  );
}

function parseSpecial(reader: WireReader, access: Access): PolicyPath[] {
  const kind = reader.string('kind');
  const subpath =
    kind === 'project_roots' || kind === 'current_working_directory' || kind === 'unknown'
      ? reader.optionalString('subpath')
      : undefined;
  if (kind === 'unknown') reader.string('path');
  reader.refuseOthers();
  switch (kind) {
    case 'root':
    case 'minimal':
    case 'tmpdir':
      return [{ type: kind }];
    case 'slash_tmp':
      return [{ type: 'slashTmp' }];
    case 'project_roots':
    case 'current_working_directory':
      return [{ type: 'workspaceRoots', ...(subpath === undefined ? {} : { subpath }) }];
    case 'unknown':
      // A grant can be left out safely; a restriction cannot.
      if (access === 'write') return [];
      throw refuse(
        'a special path of kind `unknown`',
        `restricts to ${access} what this version cannot name`,
      );
    default:
      throw refuse(
        'a special path',
        `has the kind ${JSON.stringify(kind)}, which this version does not know`,
      );
  }
}
