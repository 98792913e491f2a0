// Everything that runs inside the sandbox of a file helper; a bundle of its own.
export { rehearse } from './rehearse.js';
export { runFsHelper, runFsHelperProgram } from './run-fs-helper.js';
