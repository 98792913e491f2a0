// Mutation test of the suite: runs every check on our server behind each lie of lies.ts and lists the checks that
// notice none of them. Takes some minutes; exit code 1 when a check notices nothing.
import { setPatience } from '../client/patience.js';
import { planChecks } from '../runner/plan.js';
import { runCheck } from '../runner/run-check.js';
import { inProcessTarget } from '../targets/in-process.js';
import { LIES } from './lies.js';
import { startLyingProxy } from './lying-proxy.js';

const IMPATIENT_MS = 2_000;
const AT_ONCE = 8;

/** These speak below the messages that the proxy understands. */
const BELOW_MESSAGES = /^transport\./;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  setPatience(IMPATIENT_MS);
  const only = process.argv[2] ?? '';
  const target = inProcessTarget();
  const planned = planChecks(target, only).filter(
    ({ requirement, missing }) => missing.length === 0 && !BELOW_MESSAGES.test(requirement.id),
  );
  const noticed = new Map<string, string[]>(planned.map(({ requirement }) => [requirement.id, []]));
  const server = await target.start();
  for (const [name, lie] of Object.entries(LIES)) {
    const proxy = await startLyingProxy(server.url, lie);
    const waiting = [...planned];
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const failure = await runCheck({ target, url: proxy.url, check: next.check });
        if (failure) noticed.get(next.requirement.id)?.push(name);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await proxy.stop();
    const count = [...noticed.values()].filter((lies) => lies.includes(name)).length;
    say(`${name}: noticed by ${count} of ${planned.length} checks`);
  }
  await server.stop();
  const blind = [...noticed].filter(([, lies]) => lies.length === 0).map(([id]) => id);
  say(blind.length === 0 ? 'every check notices something' : `notice nothing: ${blind.join(', ')}`);
  const weak = [...noticed].filter(([, lies]) => lies.length > 0 && lies.length <= 3);
  for (const [id, lies] of weak) say(`weak: ${id} notices only ${lies.join(', ')}`);
  process.exitCode = blind.length === 0 ? 0 : 1;
}

await main();
