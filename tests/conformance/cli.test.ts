// The whole suite against our built program.
import { describeTarget } from './runner/describe-target.js';
import { cliTarget } from './targets/cli.js';

describeTarget(cliTarget());
