// What the page gets: the client, and those recipes of its README that need no local disk.

export * from '@codex/exec-client';
export { recipe as commands } from '../integration/client/recipes/commands.js';
export { recipe as dialogue } from '../integration/client/recipes/dialogue.js';
export { recipe as failures } from '../integration/client/recipes/failures.js';
export { recipe as streaming } from '../integration/client/recipes/streaming.js';
export { recipe as timeout } from '../integration/client/recipes/timeout.js';
export { recipe as yieldWindow } from '../integration/client/recipes/yield-window.js';
