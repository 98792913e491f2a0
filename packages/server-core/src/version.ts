// Kept equal to package.json by `npm run version-packages`; a test compares the two.
export const VERSION = '0.1.0';
