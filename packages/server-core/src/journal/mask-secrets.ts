// Command lines without what looks like a secret. A guess by shape: values of flags and variables whose name says so,
// credentials in URLs and headers, and tokens of well-known form. It does not stop a secret that looks like any other word
// (`login hunter2`), one in a file's name, or one that a program prints.

export const MASK = '***';

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
const URL_PASSWORD = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,512}(?=@)/gi;
/** `curl -u me:password`, not `docker run -u 1000:1000`. */
const USER_PASSWORD =
  /((?:^|\s)(?:-u|--user|--proxy-user)[\s=]+[^\s:'"]{1,256}:)(?!\d+(?:\s|$))[^\s'"]{1,512}/g;
const SCHEME = /\b(bearer|basic)\s+[\w+/=.~-]{6,}/gi;
const WELL_KNOWN =
  /\b(?:sk-[\w-]{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|npm_\w{30,}|eyJ[\w-]{10,1024}\.[\w-]{10,}\.[\w-]+)/g;

/** Most texts have nothing of it, and are not looked at more closely. */
const SUSPICIOUS =
  /token|secret|passw|passphrase|key|credential|bearer|basic|:\/\/|-u|user|sk-|gh[opsur]_|github_pat|xox|AKIA|AIza|glpat|npm_|eyJ/i;

/** One text of some thousand characters at most: an argument, or a script that is one. */
export function maskedText(text: string): string {
  if (text.length < 6 || !SUSPICIOUS.test(text)) return text;
  const named = maskNamed(text);
  return named
    .replace(USER_PASSWORD, `$1${MASK}`)
    .replace(SCHEME, `$1 ${MASK}`)
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(WELL_KNOWN, MASK);
}

export function maskedCommand(argv: readonly string[]): string[] {
  return argv.map((argument, index) => {
    const before = argv[index - 1];
    if (before !== undefined && /^(?:-u|--user|--proxy-user)$/.test(before)) return maskedUser(argument);
    const isNamed = before !== undefined && isFlag(before) && SUSPICIOUS.test(before) && isTelling(before);
    return isNamed && !isFlag(argument) ? MASK : maskedText(argument);
  });
}

/** `name:password`, as a word of its own behind its flag. */
function maskedUser(argument: string): string {
  return /^[^:]+:(?!\d+$)./s.test(argument) ? argument.replace(/:.*$/s, `:${MASK}`) : maskedText(argument);
}

/** Word by word, so that no text takes longer than its length. */
function maskNamed(text: string): string {
  let masked = '';
  let done = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < done || !isTelling(word)) continue;
    const from = valueBehind(text, index + word.length, isFlag(word));
    if (from === undefined) continue;
    masked += `${text.slice(done, from)}${MASK}`;
    done = VALUE.lastIndex;
  }
  return masked + text.slice(done);
}

/** Where the value begins; `VALUE` then stands behind its end. A blank is enough behind a flag only. */
function valueBehind(text: string, end: number, isBehindFlag: boolean): number | undefined {
  BETWEEN.lastIndex = end;
  const between = BETWEEN.exec(text)?.[0];
  if (between === undefined || (between.trim() === '' && !isBehindFlag)) return undefined;
  VALUE.lastIndex = end + between.length;
  return VALUE.test(text) ? end + between.length : undefined;
}

function isFlag(word: string): boolean {
  return word.startsWith('-');
}

function isTelling(word: string): boolean {
  const plain = word.toLowerCase().replaceAll(/[_.-]/g, '');
  return TELLING.some((name) => plain.includes(name));
}
