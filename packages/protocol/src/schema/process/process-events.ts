// Notifications about a process. `seq` orders output, exit and close; lifecycle notifications take none.
import { Type } from '@sinclair/typebox';
import { Base64, I32, named, optional, refTo, U32, U64 } from '../primitives.js';
import { OutputStream, SandboxDenial, SandboxStop } from './process-io.js';

export const ProcessOutputNotification = named(
  'ProcessOutputNotification',
  Type.Object({ processId: Type.String(), seq: U64, stream: OutputStream, chunk: Base64 }),
);

export const ProcessExitedNotification = named(
  'ProcessExitedNotification',
  Type.Object({
    processId: Type.String(),
    seq: U64,
    exitCode: I32,
    sandboxDenied: optional(Type.Boolean()),
    denial: optional(refTo(SandboxDenial)),
    stopped: optional(refTo(SandboxStop)),
  }),
);

export const ProcessClosedNotification = named(
  'ProcessClosedNotification',
  Type.Object({ processId: Type.String(), seq: U64 }),
);

export const ProcessStartedNotification = named(
  'ProcessStartedNotification',
  Type.Object({ processId: Type.String(), pid: U32 }),
);

export const ProcessFailedNotification = named(
  'ProcessFailedNotification',
  Type.Object({ processId: Type.String(), message: Type.String() }),
);
