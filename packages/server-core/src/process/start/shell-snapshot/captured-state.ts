// Reads what `printStateScript` printed. Anything that does not look as it should makes the whole capture worthless.

export interface ShellLimits {
  /** By the letter of the `ulimit` option. */
  readonly soft: ReadonlyMap<string, string>;
  readonly hard: ReadonlyMap<string, string>;
}

/** How things stand at one time, as far as a command inherits it. */
export interface ProcessSetting {
  readonly directory: string;
  readonly umask: string;
  readonly limits: ShellLimits;
}

export interface ShellVariable {
  readonly name: string;
  readonly isExported: boolean;
  /** A `declare` command. */
  readonly declaration: string;
}

/** Texts are shell commands, as the shell printed them. */
export interface CapturedState {
  readonly before: ProcessSetting;
  readonly after: ProcessSetting;
  /** `$?` as the profile left it. */
  readonly status: number;
  readonly options: string;
  readonly traps: string;
  readonly shellOptions: string;
  readonly aliases: string;
  readonly functions: string;
  /** `declare -F` lines. */
  readonly functionAttributes: string;
  readonly variables: readonly ShellVariable[];
}

/** Undefined for a text that is not complete. */
export function parseCapturedState(text: string, nonce: string): CapturedState | undefined {
  const records = new RecordReader(text);
  const before = readSetting(records);
  if (records.next() !== nonce) return undefined;
  const status = Number(records.next());
  const traps = records.next();
  const options = records.next();
  const shellOptions = records.next();
  const aliases = records.next();
  const after = readSetting(records);
  // `IFS` is printed before the loops need another one; among the variables it is then the loops' own.
  const separators = parseVariable(records.next());
  const functionAttributes = records.next();
  const functions = records.next();
  if (records.next() !== nonce) return undefined;
  const declarations = records.until(nonce);
  if (declarations === undefined || !Number.isInteger(status)) return undefined;
  const variables = declarations.map(parseVariable).filter((one) => one !== undefined);
  return {
    before,
    after,
    status,
    options,
    traps,
    shellOptions,
    aliases,
    functions,
    functionAttributes,
    variables: [
      ...variables.filter(({ name }) => name !== 'IFS'),
      ...(separators === undefined ? [] : [separators]),
    ],
  };
}

class RecordReader {
  readonly #records: readonly string[];
  #at = 0;

  constructor(text: string) {
    // What follows the last NUL is not a record.
    this.#records = text.split('\0').slice(0, -1);
  }

  next(): string {
    return this.#records[this.#at++] ?? '';
  }

  until(end: string): readonly string[] | undefined {
    const at = this.#records.indexOf(end, this.#at);
    if (at === -1) return undefined;
    const found = this.#records.slice(this.#at, at);
    this.#at = at + 1;
    return found;
  }
}

function readSetting(records: RecordReader): ProcessSetting {
  const directory = records.next();
  const [umask = '', ...soft] = records.next().split('\n');
  const hard = records.next().split('\n');
  return { directory, umask, limits: { soft: limitsIn(soft), hard: limitsIn(hard) } };
}

/** `open files    (-n) 1024`, `stack size    (kbytes, -s) 8192` */
function limitsIn(lines: readonly string[]): Map<string, string> {
  const limits = new Map<string, string>();
  for (const line of lines) {
    const [, letter, value] = /-(\w)\) (\w+)$/.exec(line) ?? [];
    if (letter !== undefined && value !== undefined) limits.set(letter, value);
  }
  return limits;
}

function parseVariable(declaration: string): ShellVariable | undefined {
  const [, flags, name] = /^declare -(\S+) ([A-Za-z_]\w*)/.exec(declaration) ?? [];
  if (flags === undefined || name === undefined) return undefined;
  return { name, isExported: flags.includes('x'), declaration: declaration.trimEnd() };
}
