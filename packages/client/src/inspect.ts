// The symbol under which Node and Bun ask an object how console.log shows it; other runtimes ignore it.

export const CUSTOM_INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What the runtime passes along: formats a value in the style of the one around it. */
export type Inspect = (value: unknown, options: object) => string;
