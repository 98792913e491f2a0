// Launches each command under a supervisor, a codex-launcher process of its own.
import { checkLaunchSpec } from '../check-launch-spec.js';
import { errnoName, errnoOf, LaunchError } from '../launch-error.js';
import type { LaterBytes, LaunchSpec, MadeLater } from '../launch-spec.js';
import type { LaunchedProcess, Launcher } from '../launched-process.js';
import { encodeSpec, type SupervisorFds } from './codec/spec-codec.js';
import type { Status } from './codec/status-codec.js';
import { WaitingSupervisors } from './nursery/waiting-supervisors.js';
import { NativeProcess } from './process/native-process.js';
import { killSession } from './process/session-sweep.js';
import type { SupervisorIdentity } from './process/tree-takeover.js';
import { WidePipes } from './process/wide-pipes.js';
import { GuardianProcess } from './supervisor/guardian-process.js';
import { FIRST_EXTRA_FD, SpawnedSupervisor } from './supervisor/spawned-supervisor.js';
import type { Supervisor } from './supervisor/supervisor.js';

export class NativeLauncher implements Launcher {
  readonly kind = 'native';
  readonly weaknesses: readonly string[] = [];
  readonly launcherProgram: string;
  readonly #waiting: WaitingSupervisors | undefined;
  readonly #widePipes = new WidePipes();

  constructor(launcherProgram: string, options: { keepSpare: boolean }) {
    this.launcherProgram = launcherProgram;
    this.#waiting = options.keepSpare ? new WaitingSupervisors(launcherProgram) : undefined;
  }

  expect(): void {
    this.#waiting?.expect();
  }

  async launch(spec: LaunchSpec): Promise<LaunchedProcess> {
    checkLaunchSpec(spec);
    const passed = (spec.inheritFds ?? []).flatMap((grant) => ('fd' in grant ? [grant.fd] : []));
    const waiting = passed.length === 0 ? await this.#waiting?.take() : undefined;
    try {
      return await this.#launchOn(waiting ?? this.#startSupervisor(passed), spec, passed);
    } catch (error) {
      if (waiting === undefined || !isOfSupervisor(error)) throw error;
      // Another command may have changed the limits of what waits; what Node starts now has the server's.
      this.#waiting?.renew();
      if (laterBytes(spec) !== undefined) throw error; // they are being made for this launch
      return this.#launchOn(this.#startSupervisor(passed), spec, passed);
    }
  }

  async #launchOn(
    supervisor: Supervisor,
    spec: LaunchSpec,
    passed: readonly number[],
  ): Promise<LaunchedProcess> {
    const widePipes = this.#widePipes.take();
    const onGone = this.#onGone(spec, supervisor);
    try {
      return await start(spec, {
        supervisor,
        passedCount: passed.length,
        hasWidePipes: widePipes !== undefined,
        onGone: (forced) => {
          widePipes?.release();
          onGone(forced);
        },
        makeRoom: () => this.#waiting?.makeRoom(),
      });
    } catch (error) {
      widePipes?.release();
      supervisor.end();
      throw error;
    }
  }

  close(): void {
    this.#waiting?.close();
  }

  /** A supervisor that its command could do nothing to serves again, unless it was started with descriptors of its own. */
  #onGone(spec: LaunchSpec, supervisor: Supervisor): (forced: boolean) => void {
    const hasPassed = (spec.inheritFds ?? []).some((grant) => 'fd' in grant);
    const mayServeAgain = spec.ownPidNamespace === true && spec.io.type !== 'pty' && !hasPassed;
    return (forced) => {
      if (mayServeAgain && !forced && this.#waiting !== undefined) this.#waiting.release(supervisor);
      else supervisor.end();
    };
  }

  /** Descriptors can only be handed over when the supervisor is started. */
  #startSupervisor(passed: readonly number[]): Supervisor {
    try {
      return new SpawnedSupervisor(new GuardianProcess(this.launcherProgram, passed));
    } catch (error) {
      throw supervisorFailure(error);
    }
  }
}

interface StartOptions {
  readonly supervisor: Supervisor;
  readonly passedCount: number;
  readonly hasWidePipes: boolean;
  readonly onGone: (forced: boolean) => void;
  /** Called when no descriptor is left for the pipes of a command, which waits for them. */
  readonly makeRoom: () => void;
}

async function start(spec: LaunchSpec, options: StartOptions): Promise<LaunchedProcess> {
  const { supervisor, onGone, makeRoom } = options;
  const record = recordOf(spec, options);
  return new Promise((resolve, reject) => {
    let launched: NativeProcess | undefined;
    let identity: SupervisorIdentity = { pid: 0, startTime: '' };
    let settled = false as boolean;
    const fail = (error: Error): void => {
      settled = true;
      reject(error);
    };
    let owed: Promise<MadeLater> | undefined;
    const onStatus = (status: Status): void => {
      if (launched !== undefined) launched.receive(status);
      else if (status.type === 'failed') fail(describeFailure(spec, status.stage, errnoName(status.errno)));
      else if (status.type === 'supervisor') identity = status;
      else if (status.type === 'started') {
        try {
          const isPty = spec.io.type === 'pty';
          const open = () => new NativeProcess({ supervisor, identity, started: status, isPty, onGone });
          const process = withRoom(open, makeRoom);
          launched = process;
          if (owed === undefined) resolve(process);
          else
            owed.then(
              (made) => {
                if (!process.isGone) supervisor.send({ type: 'bytes', ...made }); // else it may serve another launch by now
                resolve(process);
              },
              (error: Error) => void endAtOnce(process).then(() => fail(error)),
            );
        } catch (error) {
          // Its /proc entry is gone: something has ended the supervisor already. Or no descriptor is left. Its command
          // goes with it.
          void killSession(status.pid).then(() => fail(supervisorFailure(error)));
        }
      }
    };
    supervisor.launch(record, {
      status: onStatus,
      closed: (error) => {
        if (launched !== undefined) launched.supervisorClosed();
        else if (!settled) fail(supervisorFailure(error));
      },
    });
    const later = laterBytes(spec);
    if (later === undefined || settled) return;
    owed = later.make();
    owed.catch(() => undefined); // told when the program is there, unless it has failed by then
  });
}

function laterBytes({ inheritFds = [] }: LaunchSpec): LaterBytes | undefined {
  return inheritFds.find((grant): grant is LaterBytes => 'make' in grant);
}

/** Of a program that waits for what will not come. */
async function endAtOnce(process: NativeProcess): Promise<void> {
  process.killTree();
  await process.treeGone;
  for (const output of process.outputs) output.discard();
}

function withRoom<T>(open: () => T, makeRoom: () => void): T {
  try {
    return open();
  } catch (error) {
    if (errnoOf(error) !== 'EMFILE') throw error;
    makeRoom();
    return open();
  }
}

/** Some numbers of a launch are only found impossible when they are written down. */
function recordOf(spec: LaunchSpec, { supervisor, passedCount, hasWidePipes }: StartOptions): Buffer {
  try {
    return encodeSpec(spec, fdsOf(supervisor, passedCount), { hasWidePipes });
  } catch (error) {
    const message = `the launch cannot be written down: ${String(error)}`;
    throw new LaunchError({ stage: 'spec', errno: 'EINVAL', message, cause: error });
  }
}

function fdsOf({ serverFds }: Supervisor, passedCount: number): SupervisorFds {
  const inherited = Array.from({ length: passedCount }, (_, index) => FIRST_EXTRA_FD + index);
  return { count: serverFds + passedCount, inherited };
}

function describeFailure(spec: LaunchSpec, stage: LaunchError['stage'], errno: string): LaunchError {
  const about: Partial<Record<LaunchError['stage'], string>> = {
    cwd: `cannot enter the working directory ${JSON.stringify(spec.cwd)}`,
    io: isReplaced(errno)
      ? 'a path that the command was to get is not, or no longer, what it was taken for'
      : 'the pipes or further descriptors cannot be made',
    pty: 'no pseudo-terminal can be opened',
    exec: `cannot execute ${JSON.stringify(spec.argv[0])}`,
    restrict: 'the restrictions cannot be applied on this host',
  };
  const message = `${about[stage] ?? `launch failed (${stage})`}: ${errno}`;
  return new LaunchError({ stage, errno, message });
}

/** It failed before the command's program ran, and not by what was asked for. */
function isOfSupervisor(error: unknown): boolean {
  if (!(error instanceof LaunchError)) return false;
  const isShort = ['spec', 'io'].includes(error.stage) && ['EMFILE', 'ENOMEM'].includes(error.errno);
  return isShort || error.stage === 'fork' || (error.stage === 'supervisor' && error.errno === 'EPERM');
}

/** A link stands where a path without links was granted. */
function isReplaced(errno: string): boolean {
  return errno === 'ESTALE' || errno === 'ELOOP';
}

function supervisorFailure(error: unknown): LaunchError {
  const errno = error === undefined ? 'EPIPE' : errnoOf(error);
  const what = error === undefined ? 'ended before it told anything' : 'cannot be used';
  return new LaunchError({
    stage: 'supervisor',
    errno,
    message: `the launcher program ${what}: ${errno}`,
    cause: error,
  });
}
