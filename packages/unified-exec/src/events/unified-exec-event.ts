// What people watch while a model works: one begin and one end for every command that ran, its output between them, and
// what led to it besides. All events of a process have the id of the call that started it.

import type { Gap, Result, SandboxDenial, StreamName } from '@codex/exec-client';
import type { ApprovalRequest } from '../approval/approval.js';

export interface PatchedFile {
  readonly kind: 'added' | 'updated' | 'deleted';
  /** As the patch names it. */
  readonly path: string;
}

export type UnifiedExecEvent =
  | {
      readonly type: 'begin';
      readonly callId: string;
      readonly sessionId: number;
      readonly command: readonly string[];
      readonly cwd: string;
    }
  | {
      readonly type: 'delta';
      readonly callId: string;
      readonly stream: StreamName;
      /** Ends at a whole character. */
      readonly bytes: Uint8Array;
    }
  /** No more deltas come; the transcript in `end` goes on. */
  | { readonly type: 'deltaQuotaReached'; readonly callId: string; readonly deltas: number }
  /** Output that exists no more, or that this reader was too slow for. */
  | {
      readonly type: 'gap';
      readonly callId: string;
      /** Null where the server does not say. */
      readonly bytes: number | null;
      readonly why: Gap['why'] | 'slowReader';
    }
  | {
      readonly type: 'interaction';
      readonly callId: string;
      readonly sessionId: number;
      /** Empty for a poll. */
      readonly stdin: string;
    }
  | { readonly type: 'end'; readonly callId: string; readonly sessionId: number; readonly result: Result }
  /** Files were changed by a patch, which is no command. */
  | {
      readonly type: 'patched';
      readonly callId: string;
      readonly cwd: string;
      readonly changes: readonly PatchedFile[];
    }
  /** The call ended without a command's output. */
  | { readonly type: 'rejected'; readonly callId: string; readonly code: string; readonly message: string }
  | {
      readonly type: 'attempt';
      readonly callId: string;
      readonly attempt: 1 | 2;
      readonly sandboxed: boolean;
      readonly state: 'started';
    }
  | {
      readonly type: 'attempt';
      readonly callId: string;
      readonly attempt: 1 | 2;
      readonly sandboxed: true;
      readonly state: 'denied';
      readonly denial: SandboxDenial;
      /** What the denied attempt printed; only the attempt that counts has a begin and an end. */
      readonly result: Result;
    }
  | {
      readonly type: 'approval';
      readonly callId: string;
      readonly reason: ApprovalRequest['reason'];
      readonly state: 'asked' | 'approved' | 'declined';
      /** The user was not asked: the answer was given earlier in this session. */
      readonly remembered: boolean;
    }
  | { readonly type: 'sessionEvicted'; readonly callId: string; readonly sessionId: number }
  /** This reader did not read for so long that events of all kinds are missing here. `sessions()` tells how things are. */
  | { readonly type: 'eventsLost'; readonly events: number };
