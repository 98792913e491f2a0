/** Launches each command through a codex-launcher process of its own. */
import { constants, openSync } from 'node:fs';
import { checkLaunchSpec } from '../check-launch-spec.js';
import { errnoName, errnoOf, LaunchError } from '../launch-error.js';
import type { LaunchSpec } from '../launch-spec.js';
import type { LaunchedProcess, Launcher } from '../launched-process.js';
import { PtyMaster } from '../stream/pty-master.js';
import { NativeProcess } from './native-process.js';
import { killSession } from './session-sweep.js';
import { encodeSpec } from './spec-codec.js';
import type { Status } from './status-codec.js';
import { FIRST_EXTRA_FD, Supervisor } from './supervisor.js';

export class NativeLauncher implements Launcher {
  readonly kind = 'native';
  readonly weaknesses: readonly string[] = [];
  readonly #nativePath: string;

  constructor(nativePath: string) {
    this.#nativePath = nativePath;
  }

  async launch(spec: LaunchSpec): Promise<LaunchedProcess> {
    checkLaunchSpec(spec);
    const master = spec.io.type === 'pty' ? openMaster() : undefined;
    try {
      return await this.#start(spec, master);
    } catch (error) {
      master?.close();
      throw error;
    }
  }

  #start(spec: LaunchSpec, master: PtyMaster | undefined): Promise<LaunchedProcess> {
    return new Promise((resolve, reject) => {
      let launched: NativeProcess | undefined;
      let settled = false;
      const passed = (spec.inheritFds ?? []).flatMap((grant) => ('fd' in grant ? [grant.fd] : []));
      const extra = master === undefined ? passed : [master.fd, ...passed];
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
            launched = new NativeProcess({ supervisor, started: status, master });
            resolve(launched);
          } catch (error) {
            // Its /proc entry is gone: something has ended the supervisor already. Its command goes with it.
            killSession(status.pid);
            fail(supervisorFailure(error));
          }
        }
      };
      const supervisor = new Supervisor(this.#nativePath, extra, {
        status: onStatus,
        closed: (error) => {
          if (launched !== undefined) launched.supervisorClosed();
          else if (!settled) fail(supervisorFailure(error));
        },
      });
      const first = FIRST_EXTRA_FD + extra.length - passed.length;
      const fds = { count: 1 + extra.length, inherited: passed.map((_, index) => first + index) };
      supervisor.sendSpec(encodeSpec(spec, fds, process.pid));
    });
  }
}

function openMaster(): PtyMaster {
  try {
    return new PtyMaster(openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK));
  } catch (error) {
    const errno = errnoOf(error);
    throw new LaunchError({
      stage: 'pty',
      errno,
      message: `no pseudo-terminal can be opened: ${errno}`,
      cause: error,
    });
  }
}

function describeFailure(spec: LaunchSpec, stage: LaunchError['stage'], errno: string): LaunchError {
  const about: Partial<Record<LaunchError['stage'], string>> = {
    cwd: `cannot enter the working directory ${JSON.stringify(spec.cwd)}`,
    exec: `cannot execute ${JSON.stringify(spec.argv[0])}`,
    restrict: 'the restrictions cannot be applied on this host',
  };
  const message = `${about[stage] ?? `launch failed (${stage})`}: ${errno}`;
  return new LaunchError({ stage, errno, message });
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
