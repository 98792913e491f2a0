// Splits a command line into words as a POSIX shell quotes them; nothing is expanded.

/** Undefined when a quote or an escape does not end. */
export function splitWords(text: string): string[] | undefined {
  return new WordSplitter(text).run();
}

const SEPARATORS = ' \t\n';
/** What a backslash escapes inside double quotes. */
const ESCAPED_IN_QUOTES = '$`"\\';

class WordSplitter {
  readonly #text: string;
  readonly #words: string[] = [];
  #word: string | undefined;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string[] | undefined {
    while (this.#at < this.#text.length) {
      if (!this.#next(this.#text[this.#at++] ?? '')) return undefined;
    }
    this.#endWord();
    return this.#words;
  }

  /** False when the text ends too early. */
  #next(character: string): boolean {
    if (SEPARATORS.includes(character)) {
      this.#endWord();
      return true;
    }
    if (character === '#' && this.#word === undefined) {
      this.#skipComment();
      return true;
    }
    if (character === "'") return this.#readSingleQuoted();
    if (character === '"') return this.#readDoubleQuoted();
    if (character === '\\') return this.#readEscaped();
    this.#append(character);
    return true;
  }

  #readSingleQuoted(): boolean {
    const end = this.#text.indexOf("'", this.#at);
    if (end === -1) return false;
    this.#append(this.#text.slice(this.#at, end));
    this.#at = end + 1;
    return true;
  }

  #readDoubleQuoted(): boolean {
    this.#append('');
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++] ?? '';
      if (character === '"') return true;
      if (character !== '\\') {
        this.#append(character);
        continue;
      }
      const escaped = this.#text[this.#at++];
      if (escaped === undefined) return false;
      if (escaped !== '\n') this.#append(ESCAPED_IN_QUOTES.includes(escaped) ? escaped : `\\${escaped}`);
    }
    return false;
  }

  /** A line that ends with a backslash goes on. */
  #readEscaped(): boolean {
    const escaped = this.#text[this.#at++];
    if (escaped === undefined) return false;
    if (escaped !== '\n') this.#append(escaped);
    return true;
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #append(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }
}
