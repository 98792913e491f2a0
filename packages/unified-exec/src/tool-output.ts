// What a call gives back: the text for the model, and the same as data for the program.

import type { Outcome, SandboxDenial, YieldResult } from '@codex/exec-client';
import type { PatchedFile } from './events/unified-exec-event.js';
import type { Profile } from './limits.js';
import { capturedText } from './text/captured-text.js';
import { originalTokens, outputBody } from './text/output-body.js';
import { byteLength, type Tokenizer } from './text/token-count.js';
import { newChunkId, toolHeader } from './text/tool-text.js';
import type { OutputPolicy } from './text/truncate-middle.js';
import type { ToolFailure, UnifiedExecErrorCode } from './tool-error.js';

export interface ToolOutput {
  /** For the model. */
  readonly text: string;
  readonly structured: {
    chunk_id?: string;
    wall_time_seconds: number;
    exit_code?: number;
    session_id?: number;
    original_token_count?: number;
    output: string;
    /** Of a patch. */
    changes?: readonly PatchedFile[];
    /** What `text` says besides: a denial, a session that had to go. Never with the profile of Codex. */
    notes?: readonly string[];
  };
  /** The call itself failed. An exit code other than 0 is no error. */
  readonly isError: boolean;
  readonly result: YieldResult | undefined;
  readonly error?: { readonly code: UnifiedExecErrorCode; readonly message: string; readonly hint: string };
  /** The sandbox denied the command, which has ended. */
  readonly denial?: DenialAction;
}

export interface DenialAction {
  readonly evidence: SandboxDenial;
  /** Somebody was asked to let it run outside and declined, with these words. */
  readonly declined?: string;
  /** Asks for an approval and runs the command without its sandbox. Once; absent where the user may not be asked. */
  readonly retry?: () => Promise<ToolOutput>;
}

export interface OutputSettings {
  readonly profile: Profile;
  readonly policy: OutputPolicy;
  readonly tokenizer: Tokenizer | undefined;
}

export interface WindowFacts {
  readonly window: YieldResult;
  readonly wallMs: number;
  readonly sessionId: number;
  readonly maxTokens: number | undefined;
  readonly notes: readonly string[];
  readonly denial?: DenialAction | undefined;
}

export function windowOutput(facts: WindowFacts, settings: OutputSettings): ToolOutput {
  const { window, wallMs, sessionId, denial } = facts;
  const { profile, policy, tokenizer } = settings;
  const { totalBytes, omittedBytes } = window.output;
  const output = { text: capturedText(window.output, profile.isCodex), totalBytes, omittedBytes };
  const chunkId = newChunkId();
  const tokens = originalTokens(output, tokenizer);
  const isRunning = window.state === 'running';
  const state = isRunning ? { sessionId } : { exitCode: exitCodeOf(window.outcome) };
  const notes = profile.isCodex ? [] : facts.notes;
  const header = toolHeader({ chunkId, wallMs, ...state, originalTokens: tokens, notes });
  const maxTokens = facts.maxTokens ?? profile.maxOutputTokens;
  const body = outputBody(output, { maxTokens, policy, tokenizer, headerBytes: byteLength(header) });
  return {
    text: `${header}\n${body}`,
    structured: {
      chunk_id: chunkId,
      wall_time_seconds: wallMs / 1000,
      ...(isRunning ? { session_id: sessionId } : { exit_code: exitCodeOf(window.outcome) }),
      original_token_count: tokens,
      output: body,
      ...(notes.length === 0 ? {} : { notes }),
    },
    isError: false,
    result: window,
    ...(denial === undefined ? {} : { denial }),
  };
}

/** -1 where the process left none. */
function exitCodeOf({ exitCode }: Outcome): number {
  return exitCode ?? -1;
}

const PATCH_LETTERS = { added: 'A', updated: 'M', deleted: 'D' } as const;

/** Codex gives the result of a patch twice a header. */
export function patchOutput(
  changes: readonly PatchedFile[],
  wallMs: number,
  { isCodex }: Profile,
): ToolOutput {
  const lines = Object.entries(PATCH_LETTERS).flatMap(([kind, letter]) =>
    changes.filter((change) => change.kind === kind).map(({ path }) => `${letter} ${path}\n`),
  );
  const done = `Success. Updated the following files:\n${lines.join('')}`;
  const header = (seconds: string): string => `Wall time: ${seconds} seconds\nOutput:\n`;
  const shown = Math.round(wallMs / 100) / 10;
  const output = isCodex ? `Exit code: 0\n${header(String(shown))}${done}` : done;
  return {
    text: header(isCodex ? '0.0000' : (wallMs / 1000).toFixed(4)) + output,
    structured: { wall_time_seconds: isCodex ? 0 : wallMs / 1000, output, changes },
    isError: false,
    result: undefined,
  };
}

export function failureOutput(failure: ToolFailure, { isCodex }: Profile): ToolOutput {
  const { code, hint, message } = failure;
  const sentence = /[.!?…]$/.test(message) ? message : `${message}.`;
  const text = isCodex ? message : `${sentence} ${hint}`;
  return {
    text,
    structured: { wall_time_seconds: 0, output: text },
    isError: true,
    result: undefined,
    error: { code, message, hint },
  };
}
