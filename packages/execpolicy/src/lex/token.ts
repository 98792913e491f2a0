// The tokens of a file. Every token knows the offset it starts at; line and column are computed when an error needs
// them.

/** A name inside `f"…{name!r}…"`. */
export interface TemplateName {
  readonly name: string;
  readonly at: number;
  readonly isRepr: boolean;
}

export type TemplatePart = string | TemplateName;

export type Token =
  | { readonly kind: 'name'; readonly at: number; readonly text: string }
  | { readonly kind: 'keyword'; readonly at: number; readonly text: string }
  | { readonly kind: 'symbol'; readonly at: number; readonly text: string }
  | { readonly kind: 'integer'; readonly at: number; readonly value: bigint }
  | { readonly kind: 'string'; readonly at: number; readonly value: string }
  | { readonly kind: 'template'; readonly at: number; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'newline' | 'indent' | 'dedent' | 'end'; readonly at: number };

export const KEYWORDS: ReadonlySet<string> = new Set(
  'and break continue def elif else for if in lambda load not or pass return'.split(' '),
);

/** Words of Python that the language keeps free. */
export const RESERVED: ReadonlySet<string> = new Set(
  'as assert async await class del except finally from global import is nonlocal raise try while with yield'.split(
    ' ',
  ),
);

export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'name':
      return `\`${token.text}\``;
    case 'keyword':
    case 'symbol':
      return `\`${token.text}\``;
    case 'integer':
      return 'a number';
    case 'string':
    case 'template':
      return 'a string';
    case 'newline':
      return 'the end of the line';
    case 'indent':
      return 'an indented line';
    case 'dedent':
      return 'the end of the block';
    case 'end':
      return 'the end of the file';
  }
}
