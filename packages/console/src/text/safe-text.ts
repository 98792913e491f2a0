// Text that a command, a client or a file system chose, made safe to show: what cannot be seen, or changes the direction or
// the place of what stands beside it, is spelled out.

// Controls; the marks that reorder, hide or join text: bidi, zero-width, tags; blanks that look like nothing; halves of
// characters; and of marks that are stacked on one letter, what is beyond the third and would cover other lines.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]|\u034f|\u17b4|\u17b5|(?<=\p{Mn}{3})\p{Mn}+/gu;

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

export function safeText(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found.length > 2 || /^\p{Mn}/u.test(found)
      ? `\\(${[...found].length} marks)`
      : (NAMES[found] ?? spelled(found)),
  );
}

function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** A command line as one would type it, safe to show. */
export function commandLine(argv: readonly string[]): string {
  return argv.map((word) => safeText(quoteWord(word))).join(' ');
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a person calls the command: the script of a shell, otherwise the command line. */
export function commandTitle(argv: readonly string[]): string {
  const [program = '', flags = '', script] = argv;
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-[a-z]*c$/.test(flags);
  return isShell && script !== undefined ? safeText(script.trim()) : commandLine(argv);
}

const SANDBOXES: Readonly<Record<string, string>> = {
  none: 'no sandbox',
  linuxSeccomp: 'Linux sandbox',
  macosSeatbelt: 'macOS sandbox',
  windowsRestrictedToken: 'Windows sandbox',
};

/** What people call the kind of sandbox that the server names. */
export function sandboxName(type: string): string {
  return SANDBOXES[type] ?? safeText(type);
}

/** A path as people write it: the server names some by URI. */
export function plainPath(path: string): string {
  if (!path.startsWith('file:///')) return path;
  try {
    return decodeURIComponent(path.slice('file://'.length));
  } catch {
    return path;
  }
}
