// What carries payloads, against our server in this process, with every payload in binary form. The whole suite in that form:
// `npm run conformance -- --target in-process-binary`.
import { describeTarget } from './runner/describe-target.js';
import { inProcessBinaryTarget } from './targets/in-process-binary.js';

for (const family of ['process.output', 'process.read', 'process.write', 'fs.']) {
  describeTarget(inProcessBinaryTarget(), family);
}
