// A step that takes a while: it says what it does, how far it is, and how long it took. What its command says besides
// is kept back, and told when it fails.
import { runCommand, say } from './run-command.mjs';

/** Without a terminal a line is a line for ever: one in a while is enough. */
const LINE_EVERY_MS = 5_000;
const ERASE = '\r\x1b[K';

/** `progress` makes of a line of output what a person wants to see of it, or nothing. */
export async function runStep(title, { command, args, cwd, progress = () => undefined }) {
  const startedAt = Date.now();
  const draws = process.stderr.isTTY;
  let shownAt = startedAt;
  say(`${title} …`);
  const onLine = (line) => {
    const text = progress(line);
    if (text === undefined) return;
    if (draws) process.stderr.write(`${ERASE}  ${text.slice(0, process.stderr.columns - 3)}`);
    else if (Date.now() - shownAt >= LINE_EVERY_MS) say(`  ${text}`);
    else return;
    shownAt = Date.now();
  };
  try {
    await runCommand(command, args, { cwd, quiet: true, onLine });
  } finally {
    if (draws) process.stderr.write(ERASE);
  }
  say(`  done in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}
