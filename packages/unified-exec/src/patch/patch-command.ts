// A command that is nothing but a patch for files: `apply_patch <<'EOF' … EOF`, with `cd folder &&` in front or not. There is
// no such program on a server; models that know Codex write it all the same.

export interface PatchCommand {
  readonly patch: string;
  /** Of `cd`. */
  readonly folder?: string;
}

const COMMAND =
  /^\s*(?:cd[ \t]+(?<folder>'[^'\n]*'|"[^"$`\\!\n]*"|[^\s'"$`\\;&|<>()*?[\]{}#~!]+)[ \t]*&&\s*)?apply_?patch[ \t]*<<[ \t]*(?<quote>['"]?)(?<word>\w+)\k<quote>[ \t]*\n(?<body>.*)$/s;

/** Undefined for every other command, also for one that does something else besides. */
export function patchCommand(script: string): PatchCommand | undefined {
  const { folder, word, body } = COMMAND.exec(script)?.groups ?? {};
  if (word === undefined || body === undefined) return undefined;
  const lines = body.split('\n');
  const end = lines.indexOf(word);
  if (end === -1 || lines.slice(end + 1).some((line) => line.trim() !== '')) return undefined;
  const patch = lines.slice(0, end).join('\n');
  return folder === undefined ? { patch } : { patch, folder: folder.replace(/^(['"])(.*)\1$/, '$2') };
}
