// Preloaded into the app. With LOADED_UNTIL=address it says on stderr what was loaded when the first byte goes to stdout,
// and ends; with LOADED_UNTIL=signal it says so when SIGUSR2 comes.
const fs = require('node:fs');

const { writeSync } = fs;

// Some versions of Node load more by themselves than others.
const ofNode = new Set(process.moduleLoadList);

// The app loads its own files with `vm`; what Node loads for it is in the cache of `require`.
const vm = require('node:vm');
const { Script } = vm;
const compiled = [];
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    compiled.push(options.filename);
  }
};

const report = () => {
  const files = [...Object.keys(require.cache).filter((file) => file !== __filename), ...compiled];
  const builtins = process.moduleLoadList
    .filter((entry) => !ofNode.has(entry) && entry.startsWith('NativeModule '))
    .map((entry) => entry.slice('NativeModule '.length));
  writeSync(2, JSON.stringify({ files, builtins }));
  process.exit(0);
};

if (process.env.LOADED_UNTIL === 'signal') {
  process.once('SIGUSR2', report);
  // What is loaded later, on a timer, stays later on a slow machine too.
  const { setTimeout: inTime } = globalThis;
  globalThis.setTimeout = (action, ms, ...rest) => inTime(action, ms * 100, ...rest);
} else fs.writeSync = report;
