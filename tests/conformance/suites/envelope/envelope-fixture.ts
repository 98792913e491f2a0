// Literal requests for a method that no server has: whatever is accepted is answered with -32601.

export const params = (text: string) => `{"id":1,"method":"nosuch","params":${text}}`;
export const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
/** Root object, id, method and the params array are values too. */
export const withValues = (count: number) => params(`[${'0,'.repeat(count - 5)}0]`);
/** The root object is the first level. */
export const withDepth = (levels: number) => params(nested(levels - 1));
