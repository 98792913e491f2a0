// Kept equal to package.json by `npm run version-packages`; a test compares the two.
export const VERSION = '0.1.0';

/**
 * The Codex release whose protocol is spoken here. Clients compare versions before they ask for what is new (they ask
 * a server that calls itself 0.150 for less); our own version stands where versions do not compare.
 */
export const SPOKEN_VERSION = '0.169.0';
