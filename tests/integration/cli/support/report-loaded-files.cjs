// Preloaded into the app. With LOADED_UNTIL=address it says on stderr what was loaded when the first byte goes to stdout,
// and ends; with LOADED_UNTIL=signal it says so when SIGUSR2 comes.
const fs = require('node:fs');

const { writeSync } = fs;

// Some versions of Node load more by themselves than others.
const ofNode = new Set(process.moduleLoadList);

// The app loads its own files with `vm`, out of one; what Node loads for it is in the cache of `require`.
const vm = require('node:vm');
const { Script } = vm;
const compiled = [];
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    compiled.push({ name: options.filename, source });
  }
};

let reads = 0;
const { readSync } = fs;
fs.readSync = (...args) => {
  // What is read from a place in a file is the program; others read files in /proc to their end.
  if (typeof args[4] === 'number') reads += 1;
  return readSync(...args);
};

const report = () => {
  const readsOfProgram = reads;
  const ofRequire = Object.keys(require.cache).filter((file) => file !== __filename);
  const files = [...ofRequire.map((name) => ({ name, source: fs.readFileSync(name, 'utf8') })), ...compiled];
  const builtins = process.moduleLoadList
    .filter((entry) => !ofNode.has(entry) && entry.startsWith('NativeModule '))
    .map((entry) => entry.slice('NativeModule '.length));
  const bytes = Buffer.from(JSON.stringify({ files, builtins, reads: readsOfProgram }));
  for (let done = 0; done < bytes.length; ) done += writeSome(bytes, done);
  process.exit(0);
};

/** The pipe does not block. */
const writeSome = (bytes, done) => {
  try {
    return writeSync(2, bytes, done);
  } catch (error) {
    if (error.code === 'EAGAIN') return 0;
    throw error;
  }
};

if (process.env.LOADED_UNTIL === 'signal') {
  process.once('SIGUSR2', report);
  // What is loaded later, on a timer, stays later on a slow machine too.
  const { setTimeout: inTime } = globalThis;
  globalThis.setTimeout = (action, ms, ...rest) => inTime(action, ms * 100, ...rest);
} else fs.writeSync = report;
