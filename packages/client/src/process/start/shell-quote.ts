// Quoting for POSIX shells, and the words of a `$` template.

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One word for a POSIX shell, whatever it holds. */
export function shellQuote(word: string): string {
  if (word === '') return "''";
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function shellJoin(argv: readonly string[]): string {
  return argv.map(shellQuote).join(' ');
}

export type TemplateValue = string | number | boolean | readonly (string | number | boolean)[];

/** The text of a template as a shell script in which every value is one word, and a list is several. */
export function templateScript(strings: readonly string[], values: readonly TemplateValue[]): string {
  return strings.reduce((script, literal, index) => {
    const value = values[index - 1];
    const words = value === undefined ? '' : quoteValue(value);
    return script + words + literal;
  });
}

function quoteValue(value: TemplateValue): string {
  if (typeof value !== 'object') return shellQuote(String(value));
  return value.map((item) => shellQuote(String(item))).join(' ');
}
