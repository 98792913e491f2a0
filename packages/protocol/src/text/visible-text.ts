// Text that a model, a command or a client chose, shown to a person: what cannot be seen, or changes the order or the place
// of what stands beside it, is spelled out. What is approved, or read in a table, is then what is there.
// It does not stop letters that look like others (а and a).

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function visibleText(text: string): string {
  // Here and not above: making it takes a millisecond, which a program that only starts need not take.
  const unseen =
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}/gu;
  return text.replace(unseen, (character) => NAMES[character] ?? spelledOut(character));
}

export function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
