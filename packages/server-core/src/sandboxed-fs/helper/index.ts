// Everything that runs inside the sandbox of a file helper; a bundle of its own.
export { runFsHelper, SERVE_FLAG } from './run-fs-helper.js';
