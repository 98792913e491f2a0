// JSON that may be looked at on a terminal. The standard leaves DEL and the controls from U+0080 to U+009F as they are, and some
// terminals obey those as they obey escapes; and marks that change the order in which text is shown.

const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Means the same as what `JSON.stringify` gives, on one line that changes nothing but the line it is printed on. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
