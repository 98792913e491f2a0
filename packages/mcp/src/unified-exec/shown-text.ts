// Text of a model or a command, as it may stand in a question to a person: every character is seen, in the order in which
// it is there. What cannot be seen is written as ⟨U+202E⟩; since these brackets are written like that as well, no text can
// look like an escape that is none.

/** Not seen, or change how their neighbours are seen: controls, formats, fillers, marks on top of a plain letter. */
const HIDDEN =
  /[⟨⟩\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Me}]|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|(?<=^|[\0-\u007f]|\p{M}{2})\p{M}/gu;
/** The deepest indentation that is shown: a deeper one could push the rest of a line out of sight. */
const MANY_SPACES = / {41,}/g;
const MOST_NAMED = 8;

/** Line by line, as an editor would show it. */
export function onPlainLines(text: string): string[] {
  return text.split('\n').map(onOneLine);
}

/** A line end is a character like others. */
export function onOneLine(text: string): string {
  return text.replace(HIDDEN, named).replace(MANY_SPACES, ({ length }) => `⟨${length} spaces⟩`);
}

/** The characters that are no ASCII and are seen, each once, with their numbers: `а U+0430`. Empty when there is none. */
export function otherCharacters(text: string): string {
  const others = new Set(text.replace(HIDDEN, '').match(/[^\0-\u007f]/gu));
  const shown = [...others].slice(0, MOST_NAMED).map((character) => `${character} ${numberOf(character)}`);
  return [...shown, ...(others.size > MOST_NAMED ? [`and ${others.size - MOST_NAMED} more`] : [])].join(', ');
}

function named(character: string): string {
  return character === '\t' ? '⟨tab⟩' : `⟨${numberOf(character)}⟩`;
}

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
