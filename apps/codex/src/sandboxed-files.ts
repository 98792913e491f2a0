// What the loader of `codex-fs` loads: everything that runs in the sandbox of a file helper.
export { rehearse, runFsHelperProgram } from '@codex/exec-files/helper';
