// Chooses what serves a file request by the sandbox it asks for: the server itself, or a helper of the session inside
// that sandbox. This is the only place that decides it. The sandbox library and the pool of helpers are loaded with
// the first sandboxed request. A restriction that cannot be enforced here is refused; a policy that is not understood
// never means that there is none.
import type { Clock } from '@codex/exec-protocol';
import { type Launcher, locateLauncherProgram } from '@codex/launcher';
import type { WeakerForm } from '@codex/sandbox';
import type { DebugLog } from './debug-log.js';
import type { FileSystem } from './file-system.js';
import type { FsLimits } from './fs-limits.js';
import { FileCalls } from './local/calls/file-calls.js';
import { SyncBudget } from './local/calls/sync-budget.js';
import { createLocalFileSystem } from './local/local-file-system.js';
import type { HelperSource } from './sandboxed/calls/helper-source.js';
import { sandboxedFileSystem } from './sandboxed/calls/sandboxed-file-system.js';
import { locateFileHelper } from './sandboxed/locate-helper.js';
import { explainRefusal, notEnforceable } from './sandboxed/policy/explain-refusal.js';
import { isSandboxed, type RequestedSandbox } from './sandboxed/policy/is-sandboxed.js';
import type { RequestedPolicy } from './sandboxed/policy/requested-policy.js';
import type { HelperOwner, HelperPool } from './sandboxed/pool/helper-pool.js';
import type { HelperCommand } from './sandboxed/pool/runtime-files.js';
import type { sandboxedWatcher } from './sandboxed/watch/sandboxed-watcher.js';
import { LocalWatcher } from './watch/local-watcher.js';
import type { Watcher } from './watch/watcher.js';

export interface FileSystemsOptions {
  readonly fs: FsLimits;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: DebugLog;
  /** Its program also watches files. */
  readonly launcher?: Launcher;
  /** The one that starts the server's processes: made when it is first asked for. Default: one of its own. */
  readonly sharedLauncher?: () => Launcher;
  readonly secretFiles: readonly string[];
  readonly ownFolders: readonly string[];
  /** Weaker forms of enforcement that the sandbox of a helper may take. */
  readonly acceptedForms?: readonly WeakerForm[];
  /** Default: beside the bundle. */
  readonly fileHelper?: HelperCommand;
}

/** Clients repeat few policies; one that does not must not fill the memory. */
const MAX_PARSED = 256;

/** Most commands that are over soon are over by then, and no client has asked for a file yet. */
const WARM_AFTER_MS = 50;

interface Loaded {
  readonly pool: HelperPool;
  /** Undefined for a policy that restricts no files. */
  readonly readPolicy: (sandbox: unknown) => RequestedPolicy | undefined;
  readonly createWatcher: typeof sandboxedWatcher;
}

interface Chosen extends Loaded {
  /** Undefined: the server itself serves the request. */
  readonly policy: RequestedPolicy | undefined;
}

export class FileSystems {
  /** The file system of the server itself. */
  readonly local: FileSystem;
  readonly #calls: FileCalls;
  readonly #options: FileSystemsOptions;
  readonly #launcherProgram: string | undefined;
  readonly #parsed = new Map<string, RequestedPolicy | undefined>();
  /** By session, then by the text of the policy. */
  readonly #chosen = new WeakMap<HelperOwner, Map<string, FileSystem>>();
  #loading: Promise<Loaded> | undefined;
  #isClosed = false;

  constructor(options: FileSystemsOptions) {
    const { launcher } = options;
    this.#options = options;
    this.#launcherProgram = launcher === undefined ? locateLauncherProgram() : launcher.launcherProgram;
    const syncGate = new SyncBudget();
    syncGate.prepare();
    this.#calls = new FileCalls({ syncGate });
    this.local = createLocalFileSystem(this.#calls);
  }

  /** The local file system where that is known without reading a policy; undefined: ask `choose`. */
  direct(sandbox: RequestedSandbox): FileSystem | undefined {
    return isSandboxed(sandbox) ? undefined : this.local;
  }

  /**
   * Rejects with an RpcError for a policy that makes no sense or cannot be enforced here. Synchronous for a request
   * without a sandbox, and for a policy whose text this session has sent before: what it names is looked at with every
   * call, not here.
   */
  choose(owner: HelperOwner, sandbox: RequestedSandbox): FileSystem | Promise<FileSystem> {
    if (!isSandboxed(sandbox)) return this.local;
    const text = JSON.stringify(sandbox);
    return this.#chosen.get(owner)?.get(text) ?? this.#makeFileSystem(owner, sandbox, text);
  }

  /** The same for watching. Undefined: the server itself watches, with a watcher of the connection. */
  async chooseWatcher(owner: HelperOwner, sandbox: RequestedSandbox): Promise<Watcher | undefined> {
    if (!isSandboxed(sandbox)) return undefined;
    const { pool, policy, createWatcher } = await this.#prepare(sandbox, JSON.stringify(sandbox));
    if (policy === undefined) return undefined;
    const { clock } = this.#options;
    return createWatcher({ source: helperSource(pool, owner, policy), policy, clock });
  }

  /** A watcher of the server itself, with an inotify instance of its own. */
  localWatcher(): Watcher {
    return new LocalWatcher(this.#calls, this.#launcherProgram);
  }

  /**
   * Starts the helper that a later request of this policy would wait for. Never fails. A little later: a short command is not
   * to share the processor with it, and its client is not to wait for its end.
   */
  warm(owner: HelperOwner, sandbox: unknown): void {
    this.#options.clock.schedule(WARM_AFTER_MS, () => {
      if (!this.#isClosed && !owner.endSignal.aborted) void this.#startAhead(owner, sandbox);
    });
  }

  async #startAhead(owner: HelperOwner, sandbox: unknown): Promise<void> {
    try {
      const { pool, policy } = await this.#prepare(sandbox, JSON.stringify(sandbox));
      if (policy !== undefined) await pool.warm(owner, policy);
    } catch (error) {
      this.#options.logger.debug('no file helper was started', { why: String(error) });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#loading?.then(
      ({ pool }) => pool.close(),
      () => undefined,
    );
  }

  async #makeFileSystem(owner: HelperOwner, sandbox: unknown, text: string): Promise<FileSystem> {
    const { pool, policy } = await this.#prepare(sandbox, text);
    const made = policy === undefined ? this.local : sandboxedFileSystem(helperSource(pool, owner, policy));
    const known = this.#chosen.get(owner) ?? new Map<string, FileSystem>();
    if (known.size >= MAX_PARSED) known.clear();
    this.#chosen.set(owner, known.set(text, made));
    return made;
  }

  async #prepare(sandbox: unknown, text: string): Promise<Chosen> {
    this.#loading ??= this.#load();
    const loaded = await this.#loading;
    if (this.#parsed.has(text)) return { ...loaded, policy: this.#parsed.get(text) };
    const policy = understood(() => loaded.readPolicy(sandbox));
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.clear();
    this.#parsed.set(text, policy);
    return { ...loaded, policy };
  }

  async #load(): Promise<Loaded> {
    const { fs, fileHelper, env, cwd, ...rest } = this.#options;
    const command = fileHelper ?? locateFileHelper();
    if (command === undefined)
      throw notEnforceable('the file helper (codex-fs) is not installed with this server');
    const { HelperPool: Pool } = await import('./sandboxed/pool/helper-pool.js');
    const { readPolicy } = await import('./sandboxed/policy/requested-policy.js');
    const { sandboxedWatcher: createWatcher } = await import('./sandboxed/watch/sandboxed-watcher.js');
    const pool = new Pool({ ...rest, limits: fs, command, launcherProgram: this.#launcherProgram });
    const tmpdir = env['TMPDIR']?.startsWith('/') === true ? env['TMPDIR'] : undefined;
    return { pool, readPolicy: (sandbox) => readPolicy(sandbox, { cwd, tmpdir }), createWatcher };
  }
}

function helperSource(pool: HelperPool, owner: HelperOwner, policy: RequestedPolicy): HelperSource {
  return {
    call: (call) => pool.call(owner, policy, call),
    use: (act) => pool.use(owner, policy, act),
    hold: (helper) => pool.hold(helper),
  };
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return explainRefusal(error);
  }
}
