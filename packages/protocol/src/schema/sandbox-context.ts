// The sandbox of one request. Everything under `permissions` is closed: a member or tag that is not listed here
// is refused, because an ignored restriction is an unenforced one. Outside it unknown members are ignored.
import { Type } from '@sinclair/typebox';
import { closedObject, named, optional, PathText, refTo, stringEnum, tagged } from './primitives.js';

const optionalFlag = optional(Type.Boolean());
const literal = <const Value extends string>(value: Value) => Type.Literal(value);

export const NetworkAccess = stringEnum(['restricted', 'enabled']);

export const SpecialPath = named(
  'SpecialPath',
  tagged('kind', [
    closedObject({ kind: literal('root') }),
    closedObject({ kind: literal('minimal') }),
    closedObject({ kind: literal('current_working_directory'), subpath: optional(Type.String()) }),
    closedObject({ kind: literal('project_roots'), subpath: optional(Type.String()) }),
    closedObject({ kind: literal('tmpdir') }),
    closedObject({ kind: literal('slash_tmp') }),
    closedObject({ kind: literal('unknown'), path: Type.String(), subpath: optional(Type.String()) }),
  ]),
);

export const PermissionPath = named(
  'PermissionPath',
  tagged('type', [
    closedObject({ type: literal('path'), path: PathText }),
    closedObject({ type: literal('glob_pattern'), pattern: Type.String() }),
    closedObject({ type: literal('special'), value: refTo(SpecialPath) }),
  ]),
);

export const PermissionEntry = named(
  'PermissionEntry',
  closedObject({
    path: refTo(PermissionPath),
    /** `none` is an older spelling of `deny`. */
    access: stringEnum(['read', 'write', 'deny', 'none']),
    missing_path_behavior: optional(stringEnum(['skip'])),
  }),
);

export const FileSystemPermissions = named(
  'FileSystemPermissions',
  tagged('type', [
    closedObject({
      type: literal('restricted'),
      entries: Type.Array(refTo(PermissionEntry)),
      glob_scan_max_depth: optional(Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 })),
    }),
    closedObject({ type: literal('unrestricted') }),
  ]),
);

/** The policies of older clients, in both spellings they have had. The sandbox projects them to a profile. */
const legacyVariants = [
  closedObject({ type: literal('danger-full-access') }),
  closedObject({ type: literal('read-only'), network_access: optionalFlag }),
  closedObject({ type: literal('external-sandbox'), network_access: optional(NetworkAccess) }),
  closedObject({
    type: literal('workspace-write'),
    writable_roots: optional(Type.Array(PathText)),
    network_access: optionalFlag,
    exclude_tmpdir_env_var: optionalFlag,
    exclude_slash_tmp: optionalFlag,
  }),
  closedObject({ type: literal('dangerFullAccess') }),
  closedObject({ type: literal('readOnly'), networkAccess: optionalFlag }),
  closedObject({ type: literal('externalSandbox'), networkAccess: optional(NetworkAccess) }),
  closedObject({
    type: literal('workspaceWrite'),
    writableRoots: optional(Type.Array(PathText)),
    networkAccess: optionalFlag,
    excludeTmpdirEnvVar: optionalFlag,
    excludeSlashTmp: optionalFlag,
  }),
] as const;

export const LegacySandboxPolicy = named('LegacySandboxPolicy', tagged('type', legacyVariants));

export const PermissionProfile = named(
  'PermissionProfile',
  tagged('type', [
    closedObject({
      type: literal('managed'),
      file_system: refTo(FileSystemPermissions),
      network: NetworkAccess,
    }),
    closedObject({ type: literal('disabled') }),
    closedObject({ type: literal('external'), network: NetworkAccess }),
    ...legacyVariants,
  ]),
);

const PolicyContext = Type.Object({
  cwd: optional(PathText),
  workspaceRoots: optional(Type.Array(PathText)),
});

export const SandboxContext = named(
  'SandboxContext',
  Type.Object({
    /** Exactly one of `permissions` and `sandboxPolicy` is there; `validateParams` checks it. */
    permissions: Type.Optional(refTo(PermissionProfile)),
    sandboxPolicy: Type.Optional(refTo(LegacySandboxPolicy)),
    /** Asks for less than `permissions` says; a server that keeps to the permissions may ignore it. */
    sandboxOverride: optional(
      stringEnum(['noOverride', 'escalatedSandboxWithRestrictions', 'bypassSandboxFirstAttempt']),
    ),
    cwd: optional(PathText),
    workspaceRoots: optional(Type.Array(PathText)),
    policyContext: optional(PolicyContext),
    userHomeDir: optional(PathText),
    temporaryDirectories: optional(Type.Array(PathText)),
    useLegacyLandlock: optionalFlag,
    windowsSandboxLevel: optional(Type.String()),
    windowsSandboxPrivateDesktop: optionalFlag,
    windowsSandboxProxySettingsMode: optional(Type.String()),
  }),
);

export const OptionalSandbox = optional(refTo(SandboxContext));
