/** Launches each command through a codex-launcher process of its own. */
import { checkLaunchSpec } from '../check-launch-spec.js';
import { errnoName, errnoOf, LaunchError } from '../launch-error.js';
import type { LaunchSpec } from '../launch-spec.js';
import type { LaunchedProcess, Launcher } from '../launched-process.js';
import { NativeProcess } from './native-process.js';
import { openPtyMaster } from './open-pty-master.js';
import { killSession } from './session-sweep.js';
import { type Seat, SpareSupervisors } from './spare-supervisors.js';
import { encodeSpec } from './spec-codec.js';
import type { Status } from './status-codec.js';
import { FIRST_EXTRA_FD, Supervisor } from './supervisor.js';

export class NativeLauncher implements Launcher {
  readonly kind = 'native';
  readonly weaknesses: readonly string[] = [];
  readonly nativePath: string;
  readonly #spares: SpareSupervisors | undefined;

  constructor(nativePath: string, options: { keepSpare: boolean }) {
    this.nativePath = nativePath;
    this.#spares = options.keepSpare ? new SpareSupervisors(nativePath) : undefined;
  }

  async launch(spec: LaunchSpec): Promise<LaunchedProcess> {
    checkLaunchSpec(spec);
    const passed = (spec.inheritFds ?? []).flatMap((grant) => ('fd' in grant ? [grant.fd] : []));
    const seat = this.#takeSeat(spec, passed);
    try {
      return await start(spec, { seat, passedCount: passed.length, onGone: this.#onGone(spec, seat) });
    } catch (error) {
      seat.master?.close();
      throw error;
    }
  }

  close(): void {
    this.#spares?.close();
  }

  /** A supervisor that its command could do nothing to serves again, unless it was started with descriptors of its own. */
  #onGone(spec: LaunchSpec, { supervisor, master }: Seat): (forced: boolean) => void {
    const hasPassed = (spec.inheritFds ?? []).some((grant) => 'fd' in grant);
    const mayServeAgain = spec.ownPidNamespace === true && master === undefined && !hasPassed;
    return (forced) => {
      if (mayServeAgain && !forced && this.#spares !== undefined) this.#spares.giveBack(supervisor);
      else supervisor.release();
    };
  }

  /** Descriptors can only be handed over when the supervisor is started. */
  #takeSeat(spec: LaunchSpec, passed: readonly number[]): Seat {
    const spare = passed.length === 0 ? this.#spares?.take(spec.io.type) : undefined;
    if (spare !== undefined) return spare;
    const master = spec.io.type === 'pty' ? openPtyMaster() : undefined;
    try {
      const extra = master === undefined ? passed : [master.fd, ...passed];
      return { supervisor: new Supervisor(this.nativePath, extra), master };
    } catch (error) {
      master?.close();
      throw supervisorFailure(error);
    }
  }
}

interface StartOptions {
  readonly seat: Seat;
  readonly passedCount: number;
  readonly onGone: (forced: boolean) => void;
}

function start(spec: LaunchSpec, { seat, passedCount, onGone }: StartOptions): Promise<LaunchedProcess> {
  const { supervisor, master } = seat;
  return new Promise((resolve, reject) => {
    let launched: NativeProcess | undefined;
    let settled = false;
    const fail = (error: LaunchError): void => {
      settled = true;
      supervisor.release();
      reject(error);
    };
    const onStatus = (status: Status): void => {
      if (launched !== undefined) launched.receive(status);
      else if (status.type === 'failed') fail(describeFailure(spec, status.stage, errnoName(status.errno)));
      else if (status.type === 'started') {
        try {
          launched = new NativeProcess({ supervisor, started: status, master, onGone });
          resolve(launched);
        } catch (error) {
          // Its /proc entry is gone: something has ended the supervisor already. Its command goes with it.
          killSession(status.pid);
          fail(supervisorFailure(error));
        }
      }
    };
    const first = FIRST_EXTRA_FD + (master === undefined ? 0 : 1);
    const inherited = Array.from({ length: passedCount }, (_, index) => first + index);
    const count = first - FIRST_EXTRA_FD + 1 + passedCount;
    supervisor.launch(encodeSpec(spec, { count, inherited }, process.pid), {
      status: onStatus,
      closed: (error) => {
        if (launched !== undefined) launched.supervisorClosed();
        else if (!settled) fail(supervisorFailure(error));
      },
    });
  });
}

function describeFailure(spec: LaunchSpec, stage: LaunchError['stage'], errno: string): LaunchError {
  const about: Partial<Record<LaunchError['stage'], string>> = {
    cwd: `cannot enter the working directory ${JSON.stringify(spec.cwd)}`,
    io: isReplaced(errno)
      ? 'a path that the command was to get is not, or no longer, what it was taken for'
      : 'the pipes or further descriptors cannot be made',
    exec: `cannot execute ${JSON.stringify(spec.argv[0])}`,
    restrict: 'the restrictions cannot be applied on this host',
  };
  const message = `${about[stage] ?? `launch failed (${stage})`}: ${errno}`;
  return new LaunchError({ stage, errno, message });
}

/** A link stands where a path without links was granted. */
function isReplaced(errno: string): boolean {
  return errno === 'ESTALE' || errno === 'ELOOP';
}

function supervisorFailure(error: unknown): LaunchError {
  const errno = error === undefined ? 'EPIPE' : errnoOf(error);
  const what = error === undefined ? 'ended before it reported' : 'cannot be used';
  return new LaunchError({
    stage: 'supervisor',
    errno,
    message: `the launcher program ${what}: ${errno}`,
    cause: error,
  });
}
