// Why a command may do what it may: the resolved policy of a process, and which rule decides about a path.
import { Type } from '@sinclair/typebox';
import { named, optional, PathText, refTo, stringEnum } from '../primitives.js';
import { SandboxDenial } from '../process/process-io.js';
import { SandboxType } from '../process/process-start.js';
import { PermissionEntry, PermissionProfile } from '../sandbox-context.js';

export const SandboxExplainParams = named(
  'SandboxExplainParams',
  Type.Object({
    session: Type.String(),
    processId: Type.String(),
    /** What is decided about this path? Without it, about the path of the denial, if there is one. */
    path: optional(PathText),
    /** What if the policy were this one? Nothing is changed by asking. */
    whatIf: optional(refTo(PermissionProfile)),
  }),
);

export const PolicyRule = named(
  'PolicyRule',
  Type.Object({ path: Type.String(), access: stringEnum(['read', 'write', 'deny']) }),
);

/** The resolved rules by place: each node stands below the nearest rule above it. */
export const PolicyNode = named(
  'PolicyNode',
  Type.Object({
    path: Type.String(),
    access: stringEnum(['read', 'write', 'deny']),
    /** Names directly below that stay read-only although the directory may be written. */
    readOnlyNames: optional(Type.Array(Type.String())),
    /** Indices into `nodes` of the explanation. */
    children: Type.Array(Type.Integer({ minimum: 0 })),
  }),
);

export const PolicyDecision = named(
  'PolicyDecision',
  Type.Object({
    path: Type.String(),
    read: Type.Boolean(),
    write: Type.Boolean(),
    /** Which kind of rule decides about writing, or about reading where that is denied. */
    decidedBy: stringEnum(['rule', 'glob', 'readOnlyName', 'systemDirectories', 'nothing', 'unrestricted']),
    rule: optional(refTo(PolicyRule)),
    glob: optional(Type.String()),
    readOnlyName: optional(Type.String()),
    sentence: Type.String(),
  }),
);

/** The smallest addition to the policy that allows it; absent where no addition does (a deny rule has to go). */
export const PolicyChange = named(
  'PolicyChange',
  Type.Object({
    access: stringEnum(['read', 'write', 'network']),
    /** To be added to the entries. */
    add: optional(refTo(PermissionEntry)),
    /** To be taken out of them, as rules or globs. */
    remove: optional(Type.Array(Type.String())),
    sentence: Type.String(),
  }),
);

export const SandboxExplainResult = named(
  'SandboxExplainResult',
  Type.Object({
    sandboxType: SandboxType,
    /** False: nothing restricts the files of this process. */
    restrictsFiles: Type.Boolean(),
    network: stringEnum(['restricted', 'loopback', 'enabled']),
    sentences: Type.Array(Type.String()),
    /** `nodes[0]` is `/`. */
    nodes: Type.Array(refTo(PolicyNode)),
    denyGlobs: Type.Array(Type.String()),
    systemDirectories: Type.Boolean(),
    denial: optional(refTo(SandboxDenial)),
    decision: optional(refTo(PolicyDecision)),
    changes: Type.Array(refTo(PolicyChange)),
  }),
);
