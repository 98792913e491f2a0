// The rules that count, from the folders of the machine and of the user and from files named on the command line. Project
// folders are not among them: what is worked on must not say what may leave the sandbox.
import { type BigIntStats, lstatSync } from 'node:fs';
import { ExecPolicyError, listRuleFiles, type Policy, readPolicy } from '@codex/execpolicy';
import { withoutLinks } from '../without-links.js';

export interface RuleFilesOptions {
  /** In this order; they need not exist. */
  readonly folders: readonly string[];
  /** After the folders; these have to exist. */
  readonly files: readonly string[];
  /** Told once for each broken state of the files, in words for a person. */
  readonly onProblem: (message: string) => void;
}

export class RuleFiles {
  readonly #options: RuleFilesOptions;
  #policy: Policy;
  #fingerprint: string;

  private constructor(options: RuleFilesOptions, policy: Policy, fingerprint: string) {
    this.#options = options;
    this.#policy = policy;
    this.#fingerprint = fingerprint;
  }

  /** Throws the `ExecPolicyError` of the first file that is wrong: a server must not start with half of its rules. */
  static async load(given: RuleFilesOptions): Promise<RuleFiles> {
    // Where links lead is decided now: one that is changed later does not bring in other rules.
    const options = {
      ...given,
      folders: given.folders.map(withoutLinks),
      files: given.files.map(withoutLinks),
    };
    const { policy, fingerprint } = await readAll(options);
    return new RuleFiles(options, policy, fingerprint);
  }

  /** What holds for a call that begins now. With broken files it is the last set that was right. */
  async current(): Promise<Policy> {
    const { onProblem } = this.#options;
    try {
      const files = await allFiles(this.#options);
      if (fingerprintOf(files) === this.#fingerprint) return this.#policy;
      const { policy, fingerprint } = await readAll(this.#options);
      this.#fingerprint = fingerprint;
      this.#policy = policy;
    } catch (error) {
      if (!(error instanceof ExecPolicyError)) throw error;
      const broken = `broken ${error.message}`;
      if (broken !== this.#fingerprint) onProblem(`${error.message}\n  the rules from before stay in force`);
      this.#fingerprint = broken;
    }
    return this.#policy;
  }

  /** What must not be writable for those who are judged by it. */
  get places(): readonly string[] {
    return [...this.#options.folders, ...this.#options.files];
  }
}

/** The look comes before the reading: a change in between is seen by the next look. */
async function readAll(options: RuleFilesOptions): Promise<{ policy: Policy; fingerprint: string }> {
  const files = await allFiles(options);
  const fingerprint = fingerprintOf(files);
  return { policy: await readPolicy(files), fingerprint };
}

async function allFiles({ folders, files }: RuleFilesOptions): Promise<string[]> {
  return [...(await listRuleFiles(folders)), ...files];
}

function fingerprintOf(files: readonly string[]): string {
  return files.map((file) => `${file}\0${look(file)}`).join('\0');
}

function look(file: string): string {
  let facts: BigIntStats | undefined;
  try {
    facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
  if (facts === undefined) return 'missing';
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ');
}
