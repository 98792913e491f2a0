// The paths of the programs that the server starts. The `codex` app fills this from its own location; an embedder
// gives its own.
import type { HelperCommand } from '@codex/exec-server-core';

export interface ExecServerRuntimePaths {
  /** The `codex` executable, or a script that Node runs; hidden helpers are started from it. */
  readonly codexExecutable: string;
  /** The native launcher. Null turns it off; without the key the launcher package finds its own. */
  readonly launcherProgram?: string | null;
  /** The program that serves sandboxed file requests; without the key it is looked for beside the server's bundle. */
  readonly fileHelper?: HelperCommand;
  /** The built page of the console; without the key it is looked for beside the `codex` executable. */
  readonly consoleFolder?: string;
  /** The program's own files stay open: what is loaded later is what was there at its start. */
  readonly holdsOwnFiles?: boolean;
  /** Called when clients have been served, and at the end: what was compiled by then is worth keeping. */
  keepCompiledCode?(this: void): void;
}
