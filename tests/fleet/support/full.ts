/** `npm run test:fleet` runs everything; `npm test` a core of it. */
export const isFull = process.env['FLEET'] === 'full';
