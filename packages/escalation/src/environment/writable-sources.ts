// Variables of the session itself that make a program outside load code or settings from where the sandboxed side can write: the
// PYTHONPATH of the project that is worked on, a NODE_OPTIONS with `--require dotenv/config`, which is looked for from the working
// directory on.
//
// What it does not stop: names that are not on the list of refused ones, and HOME, which every program needs.
import { isRefusedName } from './refused-names.js';

/** Needed, and dealt with elsewhere (PATH) or no source of code by themselves. */
const KEPT: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'SHELL',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'XDG_RUNTIME_DIR',
]);
/** Lists of folders, in which whatever does not begin at the root is searched from the working directory on. */
const SEARCH_LIST = /(?:PATH|LIB)$/;
const SEPARATORS = /[\s:;,='"]+/;
/** One file, or a list of files. A NODE_ENV is none. */
const FILES = /(?:ENV|STARTUP|CONFIG|CONF|GLOBAL|SYSTEM|FILE|FILES|RC|HOME|DIR)$/;
const NO_FILES: ReadonlySet<string> = new Set(['NODE_ENV', 'CONDA_DEFAULT_ENV']);
const OPTIONS = /(?:OPTIONS|OPT|FLAGS)$/;
/** What loads code or further options, and whatever stands behind it in the same word. */
const LOADING_OPTION =
  /^(?:-[rIp]|-cp|-classpath|--(?:require|import|loader|experimental-loader|env-file|class-path|module-path)|-javaagent|-agentpath|-Xbootclasspath(?:\/[ap])?)[=:]?(?<file>.+)$/;

export function leadsToWritable(
  [name, value]: readonly [string, string],
  isWritable: (path: string) => boolean,
): boolean {
  if (KEPT.has(name) || !isRefusedName(name)) return false;
  const upper = name.toUpperCase();
  if (SEARCH_LIST.test(upper) && value.split(/[:;]/).some((folder) => !folder.startsWith('/'))) return true;
  if (FILES.test(upper) && !NO_FILES.has(upper) && isFoundFromHere(value)) return true;
  if (OPTIONS.test(upper) && value.split(/\s+/).some(isLoadedFromHere)) return true;
  return value.split(SEPARATORS).some((part) => isRelative(part) || absolutePaths(part).some(isWritable));
}

function isFoundFromHere(value: string): boolean {
  return value.split(/[:;]/).some((file) => file !== '' && !file.startsWith('/'));
}

/** A word of options: one that loads something, or what belongs to the one before it. */
function isLoadedFromHere(word: string): boolean {
  if (word.startsWith('@')) return !word.startsWith('@/');
  const file = word.startsWith('-') ? LOADING_OPTION.exec(word)?.groups?.['file'] : word;
  return file !== undefined && file !== '' && !file.startsWith('/') && !/^\d+$/.test(file);
}

function isRelative(part: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(part);
}

/** Also behind an option: `-I/project/lib`. */
function absolutePaths(part: string): string[] {
  const start = part.indexOf('/');
  return start === -1 ? [] : [part.slice(start)];
}
