// The sandbox of `process/start`: reads the request's policy, wraps the launch so that the policy holds, and judges how
// the command ended. What cannot be enforced is refused; a sandboxed command never runs without its sandbox.
import { invalidParams, RpcError, sandboxNotEnforceable } from '@codex/exec-protocol';
import type { LaunchSpec } from '@codex/launcher';
import type { NetworkPolicy, PreparedSandbox, SandboxContext, WeakerForm } from '@codex/sandbox';
import type { Logger } from '../../../logger.js';
import type {
  JudgeExit,
  ProcessSandbox,
  SandboxedCommand,
  SandboxedLaunch,
  SandboxType,
  SandboxVerdict,
} from './process-sandbox.js';

export interface PolicySandboxOptions {
  /** The server's own temporary directory: what the policy's `tmpdir` means. Never taken from a request. */
  readonly tmpdir: string | undefined;
  /** Files that no sandboxed command may read, whatever its policy says: the server's own secrets. */
  readonly secretFiles: readonly string[];
  /** Folders in which no sandboxed command may change anything: the server's own program. */
  readonly ownFolders: readonly string[];
  /** TCP ports that no sandboxed command may connect to. */
  readonly refusedPorts: readonly number[];
  /** What the operator accepts by name where this host has nothing better. */
  readonly acceptedForms: readonly WeakerForm[];
  readonly logger: Logger;
}

export class PolicySandbox implements ProcessSandbox {
  readonly #options: PolicySandboxOptions;
  #library: typeof import('@codex/sandbox') | undefined;

  constructor(options: PolicySandboxOptions) {
    this.#options = options;
  }

  async prepare({ spec, sandbox, ahead = false }: SandboxedCommand): Promise<SandboxedLaunch> {
    // Loaded when the first sandboxed command comes: a server that never sees one does not pay for it.
    this.#library ??= await import('@codex/sandbox');
    const library = this.#library;
    library.expectSandboxes();
    try {
      const context = library.parseSandboxContext(sandbox, { cwd: spec.cwd });
      const prepared = await library.prepareSandbox({ ...this.#request(spec, context), startsAhead: ahead });
      const warn = () => {
        for (const warning of prepared.warnings) this.#options.logger.warn('sandbox', { warning });
      };
      if (prepared.isAhead !== true) warn();
      return {
        spec: library.launchSpec(prepared, spec),
        sandboxType: prepared.type,
        ...(prepared.type === 'none' ? {} : { signalScope: 'descendants' as const }),
        judgeExit: (exit) =>
          exit.lostMount === undefined
            ? this.#judge(exit, { prepared, network: context.policy.network, findDenial: library.findDenial })
            : this.#stopped(exit.lostMount, library.describeLostMount(exit.lostMount)),
        ...(prepared.isAhead === true ? { isAhead: true } : {}),
        started: ({ pid }) => {
          prepared.started({ pid });
          if (prepared.isAhead === true) warn();
        },
        // Nothing to see on the host means nothing to wait for.
        get restoresHost() {
          return prepared.changesHost;
        },
        finish: async () => {
          for (const violation of await prepared.finish().cleanup)
            this.#options.logger.warn('sandbox', { violation });
        },
      };
    } catch (error) {
      throw error instanceof library.SandboxError ? refusal(error) : error;
    }
  }

  /** The library keeps a watcher that cleans up after a crash. */
  close(): void {
    this.#library?.endSandboxHousekeeping();
  }

  judgeForeign(sandboxType: SandboxType): JudgeExit {
    return async ({ exitCode, output }) => {
      const { findDenial } = await import('@codex/sandbox');
      return this.#verdict(findDenial({ ...describeEnd(exitCode, output), sandbox: sandboxType }));
    };
  }

  #request(spec: LaunchSpec, { policy, cwd, workspaceRoots }: SandboxContext) {
    const { tmpdir, secretFiles, ownFolders, refusedPorts, acceptedForms } = this.#options;
    return {
      argv: spec.argv,
      cwd: spec.cwd,
      env: spec.env,
      ...(spec.arg0 === undefined ? {} : { arg0: spec.arg0 }),
      policy,
      context: { cwd, workspaceRoots, ...(tmpdir === undefined ? {} : { tmpdir }) },
      terminal: spec.io.type === 'pty',
      ownTerminal: spec.io.type === 'pty',
      // The launcher ends the tree when this server ends.
      dieWithParent: false,
      alwaysDeny: secretFiles,
      ownFolders,
      refusedPorts,
      accept: acceptedForms,
    };
  }

  #judge(exit: Parameters<JudgeExit>[0], { prepared, network, findDenial }: Judge): SandboxVerdict {
    const { exitCode: code, report } = exit;
    // Only asks: background children may live on, and what protects the host from them has to stay.
    const commandStarted = prepared.commandStarted({ code, ...(report === undefined ? {} : { report }) });
    const end = describeEnd(exit.exitCode, exit.output);
    if (commandStarted) return this.#verdict(findDenial({ ...end, sandbox: prepared.type, network }));
    const why = end.combined.trim().slice(-SHOWN_OUTPUT) || `exit code ${exit.exitCode}`;
    return { denied: false, failure: `the sandbox could not be started: ${why}` };
  }

  #stopped(path: string, notice: string): SandboxVerdict {
    this.#options.logger.warn('a sandboxed command was stopped', { lostMount: path });
    return { denied: false, stopped: { reason: 'protection_lost', path }, notice };
  }

  #verdict(denial: ReturnType<FindDenial>): SandboxVerdict {
    if (denial === undefined) return { denied: false };
    const { reason, line, path } = denial;
    this.#options.logger.info('a sandboxed command was probably denied', { reason, line, path });
    return { denied: true, denial: { reason, line, ...(path === undefined ? {} : { path }) } };
  }
}

type FindDenial = typeof import('@codex/sandbox').findDenial;

interface Judge {
  readonly prepared: PreparedSandbox;
  readonly network: NetworkPolicy;
  readonly findDenial: FindDenial;
}

function describeEnd(exitCode: number, output: () => Uint8Array) {
  return { exitCode, stderr: '', stdout: '', combined: Buffer.from(output()).toString('utf8') };
}

const SHOWN_OUTPUT = 512;

/** The start of the message is what clients of the peer know; the rest says what to do. */
function refusal(error: { readonly code: string; readonly message: string }): RpcError {
  if (error.code === 'SANDBOX_UNAVAILABLE' || error.code === 'SANDBOX_POLICY_UNENFORCEABLE') {
    const base = sandboxNotEnforceable();
    return new RpcError(base.code, `${base.message}: ${error.message}`);
  }
  if (error.code === 'SANDBOX_POLICY_INVALID') return invalidParams(error.message);
  return invalidParams(`failed to prepare process sandbox: ${error.message}`);
}
