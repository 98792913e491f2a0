// The folder a turn works in. It lies outside the temporary folder, which every sandbox mode may write to.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Paths below the workspace, and what the files hold. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The same path with the same files for every server, so that outputs may be compared byte by byte. */
export function fillWorkspace(path: string, files: Files): void {
  rmSync(path, { recursive: true, force: true });
  // A repository marks where the search for AGENTS.md and skills ends.
  mkdirSync(join(path, '.git'), { recursive: true });
  writeFiles(path, files);
}

export function writeFiles(path: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
}

/** What a turn left behind: mode and content of every entry. */
export function workspaceState(path: string): Record<string, string> {
  const state: Record<string, string> = {};
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const mode = (lstatSync(file).mode & 0o7777).toString(8);
    state[relative(path, file)] = entry.isSymbolicLink()
      ? `link to ${readlinkSync(file)}`
      : entry.isDirectory()
        ? `directory ${mode}`
        : `file ${mode}: ${readFileSync(file, 'base64')}`;
  }
  return state;
}
