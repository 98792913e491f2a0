// `process/start`: the flat form, which is also the `direct` kind, and the `prepared` kind.
import { Type } from '@sinclair/typebox';
import { ShellInfo } from '../environment.js';
import { named, optional, PathText, refTo, StringMap, stringEnum, tagged, U16 } from '../primitives.js';
import { OptionalSandbox } from '../sandbox-context.js';
import { EnvPolicy } from './env-policy.js';

export const SandboxType = stringEnum(['none', 'macosSeatbelt', 'linuxSeccomp', 'windowsRestrictedToken']);

export const ProcessIo = named(
  'ProcessIo',
  tagged('type', [
    Type.Object({ type: Type.Literal('pty'), rows: U16, cols: U16 }),
    Type.Object({ type: Type.Literal('pipe'), stdin: stringEnum(['open', 'closed']) }),
  ]),
);

export const ExecMetadata = named(
  'ExecMetadata',
  Type.Object({ threadId: optional(Type.String()), toolCallId: optional(Type.String()) }),
);

export const ShellSnapshot = named(
  'ShellSnapshot',
  Type.Object({ scopeId: Type.String(), shell: refTo(ShellInfo) }),
);

export const DirectStartParams = named(
  'DirectStartParams',
  Type.Object({
    kind: Type.Optional(Type.Literal('direct')),
    processId: Type.String(),
    argv: Type.Array(Type.String()),
    cwd: PathText,
    env: StringMap,
    /** Without it, and without `io`, the command runs on pipes. */
    tty: Type.Optional(Type.Boolean()),
    rows: optional(U16),
    cols: optional(U16),
    pipeStdin: optional(Type.Boolean()),
    io: optional(refTo(ProcessIo)),
    arg0: optional(Type.String()),
    metadata: optional(refTo(ExecMetadata)),
    envPolicy: optional(refTo(EnvPolicy)),
    sandbox: OptionalSandbox,
    shellSnapshot: optional(refTo(ShellSnapshot)),
    // Restrictions that a server either enforces or refuses; their inner shape is not this version's business.
    enforceManagedNetwork: optional(Type.Boolean()),
    managedNetwork: Type.Optional(Type.Unknown()),
    networkProxy: Type.Optional(Type.Unknown()),
  }),
);

/** A request that its sender has already resolved: it is started as it stands. */
export const PreparedExecRequest = named(
  'PreparedExecRequest',
  Type.Object({
    argv: Type.Array(Type.String()),
    cwd: PathText,
    env: StringMap,
    arg0: optional(Type.String()),
    sandboxType: optional(SandboxType),
  }),
);

export const PreparedStartParams = named(
  'PreparedStartParams',
  Type.Object({
    kind: Type.Literal('prepared'),
    processId: Type.String(),
    request: refTo(PreparedExecRequest),
    io: refTo(ProcessIo),
    metadata: optional(refTo(ExecMetadata)),
  }),
);

export const ProcessStartParams = named(
  'ProcessStartParams',
  Type.Union([refTo(DirectStartParams), refTo(PreparedStartParams)]),
);

export const ProcessStartResult = named(
  'ProcessStartResult',
  Type.Object({ processId: Type.String(), sandboxType: optional(SandboxType) }),
);
