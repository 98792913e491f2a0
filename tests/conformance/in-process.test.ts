// The whole suite against our server in this process.
import { describeTarget } from './runner/describe-target.js';
import { inProcessTarget } from './targets/in-process.js';

describeTarget(inProcessTarget());
