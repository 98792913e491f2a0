// Preloaded into the app: when the first byte goes to stdout, says on stderr what was loaded for it, and ends.
process.stdout.write = () => {
  const { writeSync } = require('node:fs');
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const builtins = process.moduleLoadList
    .filter((entry) => entry.startsWith('NativeModule '))
    .map((entry) => entry.slice('NativeModule '.length));
  writeSync(2, JSON.stringify({ files, builtins }));
  process.exit(0);
};
