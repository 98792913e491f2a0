// A command that is nothing but a patch for files: `apply_patch <<'EOF' … EOF`, with `cd folder &&` in front or not. There is
// no such program on a server; models that know Codex write it all the same.

export interface PatchCommand {
  readonly patch: string;
  /** Of `cd`. */
  readonly folder?: string;
}

/** Quoted, or plain characters. */
const FOLDER = String.raw`'[^'\n]*'|"[^"$\`\\!\n]*"|[^\s'"$\`\\;&|<>()*?[\]{}#~!]+`;
/** Variables of the command itself, which a patch does not look at. */
const VARIABLES = String.raw`(?:[A-Za-z_]\w*=[\w./:@%+,-]*[ \t]+)*`;
/** The word that ends the patch, quoted or not: nothing is expanded in either case. */
const END = String.raw`'(?<single>[^'\n]+)'|"(?<double>[^"$\`\\\n]+)"|\\?(?<bare>[\w.-]+)`;
const COMMAND = new RegExp(
  String.raw`^\s*(?:cd[ \t]+(?<folder>${FOLDER})[ \t]*&&\s*)?${VARIABLES}apply_?patch[ \t]*<<-?[ \t]*(?:${END})[ \t]*\n(?<body>.*)$`,
  's',
);

/** Undefined for every other command, also for one that does something else besides. */
export function patchCommand(script: string): PatchCommand | undefined {
  const { folder, single, double, bare, body } = COMMAND.exec(script)?.groups ?? {};
  const word = single ?? double ?? bare;
  if (word === undefined || body === undefined) return undefined;
  // Blanks behind the last word of all are overlooked.
  const lines = body.trimEnd().split('\n');
  const end = lines.indexOf(word);
  if (end !== lines.length - 1) return undefined;
  const patch = lines.slice(0, end).join('\n');
  return folder === undefined ? { patch } : { patch, folder: folder.replace(/^(['"])(.*)\1$/, '$2') };
}
