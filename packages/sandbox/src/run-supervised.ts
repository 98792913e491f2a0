// Runs a short program to its end below a supervisor of the launcher: whatever it has started by then ends with it, and all of it with
// this process, by SIGKILL too. A bubblewrap that Node starts itself can stay: its inner half may be waiting for the outer one.
import { createLauncher, type LaunchedProcess, type LaunchSpec } from '@codex/launcher';

/** Of each stream, the first part; what comes after it is read and dropped. */
const KEPT_CHARACTERS = 1 << 20;

export interface SupervisedRun extends Pick<LaunchSpec, 'argv' | 'cwd' | 'env' | 'inheritFds' | 'restrict'> {
  /** Then it is killed. */
  readonly patienceMs: number;
}

export interface SupervisedEnd {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Rejects with a LaunchError when it cannot be started. Settles when nothing of it is left. */
export async function runSupervised({ patienceMs, ...spec }: SupervisedRun): Promise<SupervisedEnd> {
  // A supervisor of its own: one that waits for more would take longer to come, and stay.
  const launcher = createLauncher({ keepSpare: false });
  try {
    const launched = await launcher.launch({ ...spec, io: { type: 'pipe', stdin: 'closed' } });
    const timer = setTimeout(() => launched.killTree(), patienceMs);
    const output = collect(launched);
    const { code } = await launched.exited;
    clearTimeout(timer);
    launched.killTree();
    return { code, ...(await output) };
  } finally {
    launcher.close();
  }
}

async function collect({ outputs, treeGone }: LaunchedProcess): Promise<Omit<SupervisedEnd, 'code'>> {
  const text = { stdout: '', stderr: '' };
  const ends = outputs.map(
    (output) =>
      new Promise<void>((resolve) =>
        output.start((block) => {
          if (output.stream !== 'pty' && text[output.stream].length < KEPT_CHARACTERS)
            text[output.stream] += block.toString();
        }, resolve),
      ),
  );
  await Promise.all([...ends, treeGone]);
  return text;
}
