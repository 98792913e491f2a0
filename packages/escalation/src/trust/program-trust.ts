// Whether a program may leave the sandbox at all, whatever rules say of its name. A name proves nothing: anything can be
// called `git`. What counts is the file that was opened, every folder and link on the way to it, and its interpreters: none of
// them may be something that the sandboxed side can write.
//
// What it does not stop: what a trusted program does with its arguments, its folder and the settings it finds; files
// that the sandboxed side could change before this server was started, in folders that are neither writable now nor workspaces.
import { posix } from 'node:path';
import type { AskedProgram, ExecRequest, OpenedFile, PathStep } from '../broker/exec-request.js';
import { isSpelledOut } from './spelled-path.js';

/** What is asked of the host about one file, beside its place. */
export interface FileFacts {
  readonly links: number;
  readonly device: number;
  /** The user of this server could write to it by its permissions. */
  readonly isOwnToWrite: boolean;
}

export interface TrustOptions {
  readonly isWritable: (path: string) => boolean;
  /** File systems on which something is writable. */
  readonly writableDevices: ReadonlySet<number>;
  /** Paths that some `host_executable` lists: the operator's word for exactly these. */
  readonly listedPaths: ReadonlySet<string>;
  /** The sandbox shows another file in this one's place, by this server's own doing. Outside runs what stands there. */
  readonly isReplacement: (step: PathStep) => boolean;
  /** Undefined when the file is gone, or is not the one with this device and inode any more. */
  readonly factsOf: (step: PathStep) => FileFacts | undefined;
}

export type Trust =
  | {
      readonly isTrusted: true;
      /** The name that it was called by leads to it and cannot be made to lead elsewhere. */
      readonly isAsCalled?: true;
    }
  | {
      readonly isTrusted: false;
      readonly reason: string;
      /** `host_executable` with the program's path would change it. */
      readonly canBeListed?: true;
    };

const TRUSTED: Trust = { isTrusted: true };
const TRUSTED_AS_CALLED: Trust = { isTrusted: true, isAsCalled: true };

export function trustProgram(request: ExecRequest, options: TrustOptions): Trust {
  const { program } = request;
  if (program.state === 'unopened') return { isTrusted: false, reason: UNOPENED[program.reason] };
  if (!request.workdir.isOnHost) {
    return distrust(`its working directory ${request.workdir.path} exists only inside the sandbox`);
  }
  const given = spelledPath(request, program.files[0].realPath);
  for (const [index, file] of program.files.entries()) {
    const trust = trustFile(file, index === 0 ? given : undefined, options);
    if (!trust.isTrusted) return trust;
  }
  const canLeadElsewhere = program.files[0].steps.some(
    ({ path, isOnHost }) => !isOnHost || options.isWritable(path),
  );
  if (!canLeadElsewhere) return TRUSTED_AS_CALLED;
  return trustPlace(request, given, program.files, options);
}

/**
 * Of a program that is listed, while the way to it can be changed. What is listed is the file: it is no word for what a link of the
 * sandboxed side makes of it, which could have the name of any other program that rules allow. And it may look for its own files
 * beside the path that it is told, and those are the sandboxed side's; a script is told where it lies.
 */
function trustPlace(
  { file, argv: [name = ''] }: ExecRequest,
  given: string,
  [program, ...interpreters]: readonly [OpenedFile, ...OpenedFile[]],
  { listedPaths }: TrustOptions,
): Trust {
  // With a step back in it, what it is told is not what is listed.
  if (isSpelledOut(file) && (given === program.realPath || listedPaths.has(given))) return TRUSTED;
  const called = posix.basename(file);
  if (called !== posix.basename(program.realPath)) {
    return distrust(`it was called as ${called}, by a link that the sandbox can change`);
  }
  if (interpreters.length > 0 || !name.includes('/')) return TRUSTED;
  return distrust(`it is told that it lies at ${name}, where the sandbox can put files beside it`);
}

const UNOPENED: Readonly<Record<Extract<AskedProgram, { state: 'unopened' }>['reason'], string>> = {
  missing: 'there is no such program',
  denied: 'the program cannot be opened',
  proc: 'its path means something else to every process that asks',
  depth: 'it goes through too many links or interpreters',
  'not-a-file': 'it is not a file',
  'process-gone': 'the process that asked is gone',
};

function trustFile(file: OpenedFile, given: string | undefined, options: TrustOptions): Trust {
  const last = file.steps.at(-1);
  if (last === undefined || last.kind !== 'file' || last.path !== file.realPath) {
    return distrust(`${file.realPath} could not be followed to the file`);
  }
  // Outside, the kernel takes the interpreter of a script from there; of a program itself it takes what was opened.
  const isReplaced = given === undefined && options.isReplacement(last);
  if (!last.isOnHost && !isReplaced) return distrust(`${last.path} is another file outside of the sandbox`);
  const isListed =
    options.listedPaths.has(file.realPath) || (given !== undefined && options.listedPaths.has(given));
  if (isListed) return TRUSTED;
  for (const step of file.steps) {
    if (!step.isOnHost && step !== last)
      return distrust(`${step.path} is something else outside of the sandbox`);
    if (options.isWritable(step.path)) return listable(`the sandbox can write to ${step.path}`, given);
  }
  return isReplaced ? TRUSTED : trustLinks(last, given, options);
}

/**
 * A second name of the same file may lie where the sandboxed side can write (stores of package managers make such). It
 * matters only where the file's own permissions let this user write, and on a file system with something writable.
 */
function trustLinks(step: PathStep, given: string | undefined, options: TrustOptions): Trust {
  const { factsOf, writableDevices } = options;
  const facts = factsOf(step);
  if (facts === undefined) return distrust(`${step.path} has changed`);
  if (facts.links > 1 && facts.isOwnToWrite && writableDevices.has(facts.device)) {
    const reason = `${step.path} has another name (a hard link), under which the sandbox may write to it`;
    return listable(reason, given);
  }
  return TRUSTED;
}

function distrust(reason: string): Trust {
  return { isTrusted: false, reason };
}

/** An interpreter has no given path here; listing the program does not help then. */
function listable(reason: string, given: string | undefined): Trust {
  return given === undefined ? distrust(reason) : { isTrusted: false, reason, canBeListed: true };
}

/** The path as it was given, absolute, for `host_executable`; what it leads to where its spelling does not say. */
function spelledPath({ workdir, file }: ExecRequest, realPath: string): string {
  return isSpelledOut(file) ? posix.resolve(workdir.path, file) : realPath;
}
