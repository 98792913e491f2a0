// Command lines as a list shows them. They can be megabytes long, and a session can have a thousand: what is kept of
// them for longer than the launch takes is bounded.

export const MAX_LISTED_ARGUMENTS = 32;
export const MAX_LISTED_LENGTH = 1024;
export const CUT_MARK = '…';

export function listedCommand(argv: readonly string[]): string[] {
  const shown = argv.slice(0, MAX_LISTED_ARGUMENTS).map((argument) => shortened(argument, MAX_LISTED_LENGTH));
  return argv.length > MAX_LISTED_ARGUMENTS ? [...shown, CUT_MARK] : shown;
}

/** The first characters, none of them cut in half. The copy does not keep the whole text alive. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1));
  return Buffer.from(`${text.slice(0, cutsPair ? maxLength - 1 : maxLength)}${CUT_MARK}`).toString();
}
