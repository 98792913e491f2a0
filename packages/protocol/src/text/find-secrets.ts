// Finds what looks like a secret in a command line, for the server, which masks it, and for the console, which hides what a
// server has left. A guess by shape: values of flags and variables whose name says so, credentials in URLs and headers, and
// tokens of well-known form. It does not find a secret that looks like any other word (`login hunter2`), one in a file's
// name, or one that a program prints.

/** What stands in the place of a secret that was masked. */
export const SECRET_MASK = '***';

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const TELLING = [
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'apikey',
  'accesskey',
  'privatekey',
  'credential',
];
const WORD = /[\w.-]+/g;
const VALUE = /"[^"]*"|'[^']*'|[^\s'";&|]+/y;
const BETWEEN = /=|:\s?|\s+(?!-)/y;

/** The secret is what the first group captures. */
const SHAPES = [
  // `curl -u me:password`, not `docker run -u 1000:1000`.
  /(?:^|\s)(?:-u|--user|--proxy-user)[\s=]+[^\s:'"]{1,256}:(?!\d+(?:\s|$))([^\s'"]{1,512})/dg,
  /\b(?:bearer\s+([\w+/=.~-]{3,}))/dgi,
  /\b(?:basic\s+([\w+/=.~-]{6,}))/dgi,
  /\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@]{0,256}:([^\s/@]{1,512})(?=@)/dgi,
  /\b((?:[sp]k[-_][\w-]{16,}|gh[opsur]_\w{12,}|github_pat_\w{12,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{12,}|AIza[\w-]{30,}|glpat-[\w-]{16,}|npm_\w{30,}|eyJ[\w-]{10,1024}\.[\w-]{10,}\.[\w-]+))/dg,
] as const;

/** Most texts have nothing of it, and are not looked at more closely. */
const SUSPICIOUS =
  /token|secret|passw|passphrase|key|credential|auth|bearer|basic|:\/\/|-u|user|[sp]k[-_]|gh[opsur]_|github_pat|xox|AKIA|AIza|glpat|npm_|eyJ/i;

/** In order, without overlaps. For one text of some thousand characters at most: an argument, or a script that is one. */
export function findSecrets(text: string): readonly TextRange[] {
  if (text.length < 6 || !SUSPICIOUS.test(text)) return [];
  return joined([...namedValues(text), ...SHAPES.flatMap((shape) => matches(text, shape))]);
}

/** Whether the value of a flag or variable of this name is a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[_.-]/g, '');
  return plain.endsWith('auth') || TELLING.some((telling) => plain.includes(telling));
}

/** Word by word, so that no text takes longer than its length. */
function namedValues(text: string): TextRange[] {
  const found: TextRange[] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < done || !isSecretName(word)) continue;
    const start = valueBehind(text, index + word.length, word.startsWith('-'));
    if (start === undefined) continue;
    done = VALUE.lastIndex;
    found.push({ start, end: done });
  }
  return found;
}

/** Where the value begins; `VALUE` then stands behind its end. A blank is enough behind a flag only. */
function valueBehind(text: string, end: number, isBehindFlag: boolean): number | undefined {
  BETWEEN.lastIndex = end;
  const between = BETWEEN.exec(text)?.[0];
  if (between === undefined || (between.trim() === '' && !isBehindFlag)) return undefined;
  VALUE.lastIndex = end + between.length;
  return VALUE.test(text) ? end + between.length : undefined;
}

function matches(text: string, shape: RegExp): TextRange[] {
  return Array.from(text.matchAll(shape), ({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    return { start, end };
  });
}

function joined(ranges: TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start > last.end) result.push(range);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return result;
}
