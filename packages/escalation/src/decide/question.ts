// What a person is asked before an exec: which program with which words, where, why, and what a yes means.
import { posix } from 'node:path';
import type { ExecRequest } from '../broker/exec-request.js';
import type { Trust } from '../trust/program-trust.js';
import { isSpelledOut } from '../trust/spelled-path.js';
import { quotedWord, quotedWords, shortened, visible } from './plain-text.js';

export interface QuestionParts {
  readonly request: ExecRequest;
  readonly justification: string | undefined;
  /** Whether it would run outside of the sandbox after a yes, and if not, why. */
  readonly leaves: Trust;
  /** False where nothing confines the command: inside and outside are the same then. */
  readonly hasSandbox: boolean;
}

export function questionText({ request, justification, leaves, hasSandbox }: QuestionParts): string {
  const { program, file, argv, workdir } = request;
  const path = program.state === 'opened' ? program.files[0].realPath : file;
  const shown = shownPath(request, path);
  const command = quotedWords([shown, ...argv.slice(1)]);
  const place = leaves.isTrusted ? 'outside the sandbox' : 'inside the sandbox';
  const where = hasSandbox ? place : 'without a sandbox';
  return [
    `Allow the agent to run \`${command}\` ${where}, in ${quotedWord(shortened(workdir.path))}?`,
    ...otherNames(request, path, shown),
    ...(justification === undefined
      ? []
      : [`The rule says: ${sentence(shortened(visible(justification), 500))}`]),
    ...(leaves.isTrusted || !hasSandbox
      ? []
      : [`It stays inside because ${sentence(visible(leaves.reason))}${howToList(path, leaves)}`]),
  ].join('\n');
}

/** Where it lies; by the name that it is called by where that is another, since a program of several names does what that says. */
function shownPath({ file, workdir }: ExecRequest, path: string): string {
  if (posix.basename(file) === posix.basename(path)) return path;
  return isSpelledOut(file) ? posix.resolve(workdir.path, file) : file;
}

/** A name that differs from the program's is the caller's choice, and some programs obey it. */
function otherNames({ file, argv }: ExecRequest, path: string, shown: string): string[] {
  const name = argv[0] ?? '';
  const lines: string[] = [];
  if (shown !== path) lines.push(`It is a link to ${quotedWord(shortened(path, 300))}.`);
  else if (file !== path) lines.push(`It was called as ${quotedWord(shortened(file, 300))}.`);
  if (name !== path && name !== file && !path.endsWith(`/${name}`) && !file.endsWith(`/${name}`)) {
    lines.push(`It is told that its name is ${quotedWord(shortened(name, 300))}.`);
  }
  return lines;
}

/** The way out for a program that is trusted although it can be written. */
export function howToList(path: string, leaves: Trust): string {
  if (leaves.isTrusted || leaves.canBeListed !== true) return '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rule = `host_executable(${JSON.stringify(name)}, [${JSON.stringify(path)}])`;
  return ` To let it leave nevertheless, list it in a rule file: ${visible(rule)}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
