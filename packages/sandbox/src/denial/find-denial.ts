// Was a failed command denied something by its sandbox? A guess from its exit code and its output. What Codex takes for
// a denial counts here too, so that both ask the user in the same cases; a refused network counts besides, where the
// policy refuses one. It never looks at the sandbox itself: a command that prints "permission denied" for its own reasons
// counts, one that hides the message does not.
import type { NetworkPolicy } from '../policy/policy-model.js';
import { complainedPath } from './complained-path.js';
import {
  type DenialPattern,
  type DenialReason,
  networkPatterns,
  strongPatterns,
  weakPatterns,
} from './denial-patterns.js';

export type SandboxBackend = 'none' | 'linuxSeccomp' | 'macosSeatbelt' | 'windowsRestrictedToken';

export interface FinishedCommand {
  readonly sandbox: SandboxBackend;
  readonly exitCode: number;
  readonly stderr: string;
  readonly stdout: string;
  /** What both streams printed, in order, where that is kept. */
  readonly combined?: string;
  /** What the policy said about the network. Where it is unknown no failure is put down to it. */
  readonly network?: NetworkPolicy;
}

export type { DenialReason } from './denial-patterns.js';

/** Why a command counts as denied: one line of its output and what that line says. It may name paths of this host. */
export interface DenialEvidence {
  readonly reason: DenialReason;
  /** The line that decided, cut to 512 characters; empty for a signal. */
  readonly line: string;
  /** The path that this line complains about, when it names one. */
  readonly path: string | undefined;
}

const sigsysExit = 128 + 31;
const maxLine = 512;
/** Of a line without end only this much around the complaint is looked at. */
const maxLineSearch = 4096;
/** Of the text before a line only this much is looked at. */
const maxBefore = 300;
/** Occurrences of a text whose line is looked at. */
const maxTries = 100;

export function findDenial(command: FinishedCommand): DenialEvidence | undefined {
  if (command.sandbox === 'none' || command.exitCode === 0) return undefined;
  const strong = [...networkPatterns(command.network), ...strongPatterns];
  for (const text of [command.stderr, command.stdout, command.combined ?? '']) {
    if (text === '') continue;
    const searched = { text, lower: text.toLowerCase() };
    const found = firstOf(strong, searched) ?? firstOf(weakPatterns, searched);
    if (found !== undefined) return evidence(found.reason, lineAround(text, found.at));
  }
  if (command.sandbox === 'linuxSeccomp' && command.exitCode === sigsysExit) {
    return { reason: 'sigsys', line: '', path: undefined };
  }
  return undefined;
}

export function isLikelyDenied(command: FinishedCommand): boolean {
  return findDenial(command) !== undefined;
}

interface Searched {
  readonly text: string;
  readonly lower: string;
}

interface Found {
  readonly reason: DenialReason;
  readonly at: number;
}

/** The complaint that comes first in the text; of two in one line the earlier pattern, which says more. */
function firstOf(patterns: readonly DenialPattern[], searched: Searched): Found | undefined {
  let first: Found | undefined;
  for (const pattern of patterns) {
    const at = search(pattern, searched);
    if (at === undefined || (first !== undefined && at >= lineStart(searched.text, first.at))) continue;
    first = { reason: pattern.reason, at };
  }
  return first;
}

function search(pattern: DenialPattern, { text, lower }: Searched): number | undefined {
  let at = lower.indexOf(pattern.text);
  for (let tries = 0; at !== -1 && tries < maxTries; tries += 1) {
    if (fits(pattern, text, at)) return at;
    at = lower.indexOf(pattern.text, at + 1);
  }
  return undefined;
}

function fits({ line, before }: DenialPattern, text: string, at: number): boolean {
  if (line !== undefined && !line.test(lineAround(text, at))) return false;
  if (before === undefined) return true;
  const start = lineStart(text, at);
  return before.test(text.slice(Math.max(0, start - maxBefore), start));
}

function evidence(reason: DenialReason, line: string): DenialEvidence {
  const path = reason === 'network_denied' ? undefined : complainedPath(line);
  return { reason, line: line.slice(0, maxLine), path };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at) + 1;
}

function lineAround(text: string, at: number): string {
  const start = Math.max(lineStart(text, at), at - maxLineSearch);
  const end = text.indexOf('\n', at);
  return withoutControls(text.slice(start, Math.min(end === -1 ? text.length : end, at + maxLineSearch)));
}

/** Colours and carriage returns of a terminal. */
function withoutControls(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g, '').trim();
}
