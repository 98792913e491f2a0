// A connection that breaks between any two steps: the answer is the same, or says what is left.
import { existsSync, mkdirSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { readOnly } from '@codex/sandbox';
import type { UnifiedExecEvent } from '@codex/unified-exec';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cuttingProxy } from '../client/support/cutting-proxy.js';
import { describeOnEveryTarget } from '../client/support/targets.js';
import { isSoak } from '../process/support/soak.js';
import { bodyOf, outside, sessionIn, watched } from './support/watched.js';

describeOnEveryTarget('a connection that breaks', (suite) => {
  let folder: ReturnType<typeof outside>;
  beforeEach(() => {
    folder = outside();
  });
  afterEach(() => folder.remove());

  /** The steps of a command that is denied, asked about and retried. */
  const STEPS: ((event: UnifiedExecEvent) => boolean)[] = [
    (event) => event.type === 'attempt' && event.state === 'started' && event.attempt === 1,
    (event) => event.type === 'attempt' && event.state === 'denied',
    (event) => event.type === 'approval' && event.state === 'asked',
    (event) => event.type === 'approval' && event.state === 'approved',
    (event) => event.type === 'attempt' && event.state === 'started' && event.attempt === 2,
    (event) => event.type === 'begin',
    (event) => event.type === 'delta',
  ];

  it('between any two steps of a denied command changes nothing of its result', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address);
    try {
      for (const [index, isStep] of STEPS.entries()) {
        await using watch = watched(client, {
          cwd: folder.path,
          allowLogin: false,
          sandbox: readOnly(),
          profile: { earlyExitMs: 10_000 },
          approvalPolicy: { granular: { sandboxApproval: true, rules: true } },
          approve: () => ({ allow: true }),
        });
        const cutting = (async () => {
          for await (const event of watch.tool.events()) if (isStep(event)) return proxy.cut();
        })();
        const cmd = `echo ${index} > f${index} && cat f${index} && sleep 0.1 && echo end`;
        const output = await watch.tool.execCommand({ cmd });
        await cutting;
        expect(bodyOf(output.text), String(index)).toBe(`${index}\nend\n`);
        const types = await watch.types();
        expect(types.filter((type) => type === 'begin' || type === 'end')).toEqual(['begin', 'end']);
      }
      expect(proxy.cuts).toBe(STEPS.length);
    } finally {
      await client.close();
      await proxy.close();
    }
  });

  it('while input is typed writes it once', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address);
    try {
      await using watch = watched(client, { allowLogin: false });
      const cmd = 'stty -echo; while read -r line; do echo "<$line>"; done';
      const session_id = sessionIn(
        (await watch.tool.execCommand({ cmd, tty: true, yield_time_ms: 500 })).text,
      );
      let output = '';
      const rounds = isSoak ? 40 : 2;
      for (let round = 0; round < rounds; round++) {
        const written = watch.tool.writeStdin({ session_id, chars: `${round}\n`, yield_time_ms: 300 });
        if (round % 2 === 0) proxy.cut();
        else setTimeout(() => proxy.cut(), round);
        output += (await written).structured.output;
      }
      const ended = await watch.tool.writeStdin({ session_id, chars: '\u0004', yield_time_ms: 20_000 });
      output += ended.structured.output;
      const typed = Array.from({ length: rounds }, (_, round) => `<${round}>`);
      expect(output.replaceAll('\r\n', '')).toBe(typed.join(''));
    } finally {
      await client.close();
      await proxy.close();
    }
  });

  it('while a patch is written leaves all of it or nothing, or says what', async () => {
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address);
    try {
      await using watch = watched(client, { cwd: folder.path });
      const names = Array.from({ length: 30 }, (_, index) => `file-${index}`);
      const patch = `*** Begin Patch\n${names.map((name) => `*** Add File: ${name}\n+x`).join('\n')}\n*** End Patch`;
      for (let round = 0; round < (isSoak ? 30 : 2); round++) {
        const cwd = `${folder.path}/${round}`;
        mkdirSync(cwd);
        const moved = patch.replaceAll('File: ', `File: ${round}/`);
        const applied = watch.tool.applyPatch(moved);
        setTimeout(() => proxy.cut(), 1 + round * 3);
        const output = await applied;
        const written = names.filter((name) => existsSync(`${cwd}/${name}`));
        if (!output.isError) expect(written).toEqual(names);
        else if (output.text.includes('nothing was changed')) expect(written).toEqual([]);
        else for (const name of written) expect(output.text).toContain(`/${name}`);
      }
    } finally {
      await client.close();
      await proxy.close();
    }
  });
});
