// The commands of a shell script that is nothing but commands: words, quotes, and `&&`, `||`, `;`, `|` or line ends between
// them. Anything that a shell would expand, redirect or branch on makes it more than that, and then nothing is said about
// its parts. A pattern such as `*` stays as it is written, except where it would name the program.

const SEPARATOR = /^(?:&&|\|\||;(?!;)|\|(?!&)|\n)/;
const BLANK = /^(?:[ \t]|\\\n)+/;
/** Unquoted characters that mean themselves. */
const PLAIN = /^[\p{L}\p{N}_./:=@%+,^-]+/u;
const PATTERN = /^[*?[\]]+/;
const SINGLE_QUOTED = /^'([^']*)'/;
/** Without what is special between double quotes. */
const DOUBLE_QUOTED = /^"([^"$`\\!]*)"/;

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/;
const RESERVED = new Set(
  'if then else elif fi for while until do done case esac in function select time coproc ! [[ ]] { }'.split(
    ' ',
  ),
);

interface Word {
  readonly text: string;
  /** Every character is written without quotes. */
  readonly isBare: boolean;
  readonly hasPattern: boolean;
}

export interface PlainScript {
  readonly commands: readonly (readonly string[])[];
  /** A shell puts other words in the place of some of these. */
  readonly hasPatterns: boolean;
}

/** Undefined when the script is more than plain commands, or none. */
export function plainCommands(script: string): PlainScript | undefined {
  const commands: Word[][] = [];
  let words: Word[] = [];
  let mustFollow = false;
  for (let rest = script.trim(); rest !== ''; ) {
    const blank = BLANK.exec(rest)?.[0];
    if (blank !== undefined) {
      rest = rest.slice(blank.length);
      continue;
    }
    const separator = SEPARATOR.exec(rest)?.[0];
    if (separator === undefined) {
      const word = takeWord(rest);
      if (word === undefined) return undefined;
      words.push(word.word);
      rest = word.rest;
      mustFollow = false;
      continue;
    }
    rest = rest.slice(separator.length);
    if (words.length === 0) {
      // A line may be empty, and may end behind an operator.
      if (separator === '\n') continue;
      return undefined;
    }
    commands.push(words);
    words = [];
    mustFollow = separator !== ';' && separator !== '\n';
  }
  if (mustFollow) return undefined;
  if (words.length > 0) commands.push(words);
  if (commands.length === 0 || !commands.every(startsAsCommand)) return undefined;
  return {
    commands: commands.map((command) => command.map(({ text }) => text)),
    hasPatterns: commands.flat().some(({ hasPattern }) => hasPattern),
  };
}

function takeWord(script: string): { readonly word: Word; readonly rest: string } | undefined {
  let text = '';
  let rest = script;
  let isBare = true;
  let hasPattern = false;
  while (rest !== '' && !/^[ \t\n;|&]/.test(rest)) {
    const quoted = SINGLE_QUOTED.exec(rest) ?? DOUBLE_QUOTED.exec(rest);
    const pattern = PATTERN.exec(rest)?.[0];
    const taken = quoted?.[0] ?? pattern ?? PLAIN.exec(rest)?.[0];
    if (taken === undefined) return undefined;
    isBare &&= quoted === null;
    hasPattern ||= pattern !== undefined;
    text += quoted?.[1] ?? taken;
    rest = rest.slice(taken.length);
  }
  return rest === script ? undefined : { word: { text, isBare, hasPattern }, rest };
}

function startsAsCommand([first]: readonly Word[]): boolean {
  if (first === undefined || first.hasPattern || first.text === '') return false;
  return !(first.isBare && (RESERVED.has(first.text) || ASSIGNMENT.test(first.text)));
}
