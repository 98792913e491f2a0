// Preloaded into the app: says on stderr, at its end, which of its files V8 took from the code cache.
const { writeSync } = require('node:fs');
const vm = require('node:vm');

const { Script } = vm;
const fromCache = [];
const compiled = [];

vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    (this.cachedDataRejected === false ? fromCache : compiled).push(options.filename);
  }
};

process.on('exit', () => writeSync(2, JSON.stringify({ fromCache, compiled })));
