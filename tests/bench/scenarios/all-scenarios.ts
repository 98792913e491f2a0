// Every scenario, in the order of the table. Memory at rest and its growth come first: bulk output leaves its traces.
import type { Scenario } from '../scenario.js';
import { bulkScenarios } from './bulk-output.js';
import { callScenarios } from './calls.js';
import { fileScenarios } from './files.js';
import { growthScenarios } from './growth.js';
import { processScenarios } from './processes.js';
import { sandboxedFileScenarios } from './sandboxed-files.js';
import { watchedScenarios } from './watched-output.js';

export const allScenarios: readonly Scenario[] = [
  ...callScenarios,
  ...growthScenarios,
  ...processScenarios,
  ...fileScenarios,
  ...sandboxedFileScenarios,
  ...bulkScenarios,
  ...watchedScenarios,
];
