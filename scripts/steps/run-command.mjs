// Runs a command of the toolchain. Its output goes to stderr, because stdout belongs to what `npm start` serves.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class StepError extends Error {}

/** Resolves when the command ends well; otherwise rejects with a sentence that names it. */
export function runCommand(command, args, { cwd, env, quiet = false, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    });
    const captured = [];
    if (quiet) {
      child.stdout.on('data', (block) => captured.push(block));
      child.stderr.on('data', (block) => captured.push(block));
      if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
    }
    child.on('error', (error) => reject(new StepError(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      const output = Buffer.concat(captured).toString();
      if (code === 0) return resolve(output);
      const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
      reject(new StepError(`${[command, ...args].join(' ')} ${how}${output ? `\n${output.trimEnd()}` : ''}`));
    });
  });
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/** Runs a script's main function; a failed step ends it with its sentence instead of a stack trace. */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    say(error instanceof StepError ? `\n✗ ${error.message}` : String(error?.stack ?? error));
    process.exitCode = 1;
  }
}
