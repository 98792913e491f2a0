// What a model reads from UnifiedExec with the profile `codex` is what the Codex CLI gives it for the same call.
import { readOnly, workspaceWrite } from '@codex/sandbox';
import type { ApprovalPolicy } from '@codex/unified-exec';
import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, type Comparison, expectSameTexts, sessionOf } from './both-tools.js';

let compared = 0;
const same = async (calls: Calls, comparison?: Comparison): Promise<void> => {
  compared += await expectSameTexts(calls, comparison);
};
afterAll(() => {
  process.stdout.write(`${compared} calls gave the same text\n`);
  expect(compared).toBeGreaterThan(0);
});

describe('commands', () => {
  it('report output, exit code and token count', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'echo one; cat a.txt' });
        await exec({ cmd: 'true' });
        await exec({ cmd: '' });
        await exec({ cmd: 'echo problem >&2; exit 3' });
        await exec({ cmd: 'exit 300' });
        await exec({ cmd: 'no-such-command' });
        await exec({ cmd: 'kill -9 $$' });
        await exec({ cmd: 'kill -TERM $$' });
        await exec({ cmd: "printf 'no newline'" });
        await exec({ cmd: "printf 'caf\\303\\251 \\xf0\\x9f\\x98\\x80 \\377\\376 \\0 \\033[31mred\\r\\n'" });
        await exec({ cmd: 'echo on a terminal', tty: true });
        await exec({ cmd: 'stty size; test -t 1 && echo yes', tty: true });
        await exec({ cmd: 'cat; echo the input has ended' });
      },
      { record: 'commands', codex: { files: { 'a.txt': 'hello\n' } } },
    );
  });

  it('find the same environment, shell and folder', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'env | sort' });
        await exec({ cmd: 'env | sort', tty: true });
        await exec({ cmd: 'pwd' });
        await exec({ cmd: 'pwd', workdir: 'sub' });
        await exec({ cmd: 'pwd', workdir: '' });
        await exec({ cmd: 'pwd', workdir: '/usr' });
        await exec({ cmd: 'echo $0 $-', shell: 'bash' });
        await exec({ cmd: 'echo $0', shell: '/bin/bash' });
        await exec({ cmd: 'shopt -q login_shell && echo login || echo none' });
        await exec({ cmd: 'shopt -q login_shell && echo login || echo none', login: true });
        await exec({ cmd: 'shopt -q login_shell && echo login || echo none', login: false });
        await exec({ cmd: 'echo x', environment_id: 'remote' });
        await exec({ cmd: 'echo x', prefix_rule: ['git'] });
        await exec({ cmd: 'echo x', sandbox_permissions: 'use_default', justification: 'none' });
      },
      { codex: { files: { 'sub/x': '' } } },
    );
  });
});

describe('long output', () => {
  it('is cut in the middle with the same marker and counts', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'seq 1 20000' });
        await exec({ cmd: 'seq 1 20000', max_output_tokens: 0 });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 20 });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 1 });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 173 });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 172 });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 1000000 });
        await exec({ cmd: 'yes "äöü€😀" | head -n 9000' });
        await exec({ cmd: 'yes "äöü€😀" | head -n 100', max_output_tokens: 51 });
        await exec({ cmd: 'head -c 40000 /dev/zero | tr "\\0" x' });
        await exec({ cmd: 'head -c 40001 /dev/zero | tr "\\0" x' });
        await exec({ cmd: 'head -c 48001 /dev/zero | tr "\\0" x; echo; echo end' });
      },
      { record: 'long-output' },
    );
  });

  it('beyond a megabyte says how many bytes are left out', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'seq 1 200000' });
        await exec({ cmd: 'seq 1 200000', max_output_tokens: 50 });
        await exec({ cmd: 'head -c 3000000 /dev/zero | tr "\\0" x' });
        await exec({ cmd: 'seq 1 200000', tty: true });
      },
      { record: 'megabytes' },
    );
  });
});

describe('sessions', () => {
  it('are written to, polled and over', async () => {
    await same(
      async ({ exec, write }) => {
        const id = sessionOf(await exec({ cmd: 'cat', tty: true, yield_time_ms: 300 }));
        await write({ session_id: id, chars: 'hey\n', yield_time_ms: 500 });
        await write({ session_id: id, chars: '\u0004', yield_time_ms: 5_000 });
        await write({ session_id: id, chars: 'more', yield_time_ms: 300 });
        await write({ session_id: id });
      },
      { record: 'sessions' },
    );
  });

  it('without a terminal take nothing but the interrupt', async () => {
    await same(
      async ({ exec, write }) => {
        const id = sessionOf(await exec({ cmd: 'sleep 60', yield_time_ms: 250 }));
        await write({ session_id: id, chars: 'x', yield_time_ms: 300 });
        await write({ session_id: id, chars: '\u0003x', yield_time_ms: 300 });
        await write({ session_id: id, chars: '\u0003', yield_time_ms: 5_000 });
        await write({ session_id: id, chars: '\u0003' });
        const cmd = "trap 'echo caught; exit 42' INT; echo ready; while :; do sleep 0.1; done";
        const trapped = sessionOf(await exec({ cmd, yield_time_ms: 1_000 }));
        await write({ session_id: trapped, chars: '\u0003', yield_time_ms: 5_000 });
      },
      { record: 'interrupts' },
    );
  });

  it('give what they printed once, also when they ended unobserved', async () => {
    await same(async ({ exec, write }) => {
      const cmd = 'echo begin; while [ ! -e go ]; do sleep 0.05; done; echo end; exit 5';
      const id = sessionOf(await exec({ cmd, yield_time_ms: 500 }));
      await exec({ cmd: 'touch go; sleep 1' });
      await write({ session_id: id });
      await write({ session_id: id });
    });
  });

  it('keep the state of a shell', async () => {
    await same(async ({ exec, write }) => {
      const shell = { cmd: "PS1='> ' bash --norc --noprofile -i", tty: true, yield_time_ms: 1_000 };
      const id = sessionOf(await exec(shell));
      await write({ session_id: id, chars: 'color=green\n', yield_time_ms: 600 });
      await write({ session_id: id, chars: 'echo $color\n', yield_time_ms: 600 });
      await write({ session_id: id, chars: 'seq 1 3000\n', yield_time_ms: 1_000, max_output_tokens: 40 });
      await write({ session_id: id, chars: 'exit 7\n', yield_time_ms: 5_000 });
    });
  });
});

describe('wrong calls', () => {
  it('get the same sentence', async () => {
    await same(
      async ({ exec, say }) => {
        await say('exec_command', '{"cmd":"echo hi","yield_time_ms":-1}');
        await say('exec_command', '{"cmd":5}');
        await say('exec_command', '{"cmd":true}');
        await say('exec_command', '{"cmd":null}');
        await say('exec_command', '{"cmd":"echo hi","tty":"yes"}');
        await say('exec_command', '{"cmd":"echo hi","yield_time_ms":"5"}');
        await say('exec_command', '{"cmd":"echo hi","yield_time_ms":0.5}');
        await say('exec_command', '{}');
        await say('exec_command', '{"cmd":"echo extra","foo":1}');
        await say('exec_command', '{"cmd":"echo nul \\u0000"}');
        await say('write_stdin', '{"session_id":"12"}');
        await say('write_stdin', '{"session_id":12}');
        await say('write_stdin', '{"session_id":-12}');
        await say('write_stdin', '{"session_id":99999999999}');
        await say('write_stdin', '{}');
        await say('nonsense', '{}');
        await exec({ cmd: 'pwd', workdir: 'missing' });
        await exec({ cmd: 'pwd', workdir: '/missing/too' });
        await exec({ cmd: 'pwd', workdir: 'a.txt' });
        await exec({ cmd: 'pwd', justification: 'x' });
        await exec({ cmd: 'pwd', sandbox_permissions: 'require_escalated', justification: 'x' });
        await exec({ cmd: 'pwd', sandbox_permissions: 'with_additional_permissions' });
        await exec({ cmd: 'pwd', sandbox_permissions: 'nonsense' });
        await exec({ cmd: 'pwd', shell: '/bin/sh' });
        await exec({ cmd: 'pwd', shell: 'nonsense' });
        await exec({ cmd: 'pwd', environment_id: 'nonsense' });
      },
      { record: 'wrong-calls', codex: { files: { 'a.txt': '' } } },
    );
  });
});

describe('sandboxes', () => {
  it('deny with the same text', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'touch /etc/unified-exec-denied' });
        await exec({ cmd: 'sleep 0.6; touch /etc/unified-exec-denied; echo more; exit 3' });
        await exec({ cmd: 'env | sort' });
        await exec({ cmd: 'echo permission denied; exit 1' });
        await exec({ cmd: 'echo two > b.txt' });
        await exec({ cmd: 'pwd', sandbox_permissions: 'require_escalated', justification: 'x' });
      },
      { codex: { sandbox: 'read-only' }, ours: { sandbox: readOnly() } },
    );
  });

  it('have the workspace as theirs, whatever the folder of a call', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'echo two > b.txt; cat b.txt' });
        await exec({ cmd: 'touch unified-exec-denied', workdir: '/var/lib' });
        await exec({ cmd: 'touch /var/lib/unified-exec-denied' });
      },
      { codex: { sandbox: 'workspace-write' }, ours: { sandbox: workspaceWrite() } },
    );
  });
});

const GRANULAR = (sandboxApproval: boolean): [string | object, ApprovalPolicy] => [
  {
    granular: {
      sandbox_approval: sandboxApproval,
      rules: true,
      mcp_elicitations: true,
      skill_approval: true,
      request_permissions: true,
    },
  },
  { granular: { sandboxApproval, rules: true } },
];

const POLICIES: Record<string, [string | object, ApprovalPolicy]> = {
  never: ['never', 'never'],
  'on-request': ['on-request', 'on-request'],
  untrusted: ['untrusted', 'untrusted'],
  granular: GRANULAR(true),
  'granular without sandbox approval': GRANULAR(false),
};

describe.each(Object.entries(POLICIES))('approvals under %s', (_name, [theirs, ours]) => {
  it.each(['accept', 'acceptForSession', 'decline'] as const)('answered with %s', async (decision) => {
    const allow = decision !== 'decline';
    const remember = decision === 'acceptForSession' ? ({ remember: 'session' } as const) : {};
    await same(
      async ({ exec }) => {
        const denied = { cmd: 'touch /etc/unified-exec-denied; rm /etc/unified-exec-denied' };
        const escalated = { cmd: 'echo out', sandbox_permissions: 'require_escalated', justification: 'why' };
        await exec(denied);
        await exec(denied);
        await exec({ cmd: 'sleep 0.6; touch /etc/unified-exec-denied; exit 1' });
        await exec(escalated);
        await exec(escalated);
        await exec({ cmd: 'ls' });
      },
      {
        codex: { sandbox: 'read-only', approving: { policy: theirs, decision } },
        ours: {
          sandbox: readOnly(),
          approvalPolicy: ours,
          approve: () => (allow ? { allow, ...remember } : { allow: false }),
        },
      },
    );
  });
});

describe.each(['accept', 'decline'] as const)(
  'input for a command that was let out, answered with %s',
  (input) => {
    const allowsInput = input === 'accept';
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'why' };
    const denied = 'touch /etc/unified-exec-denied && rm /etc/unified-exec-denied';
    const calls =
      (first: object): Calls =>
      async ({ exec, write }) => {
        const id = sessionOf(await exec({ login: false, yield_time_ms: 1_000, ...first }));
        await write({ session_id: id, chars: 'hello\n', yield_time_ms: 500 });
        await write({ session_id: id, chars: 'again\n', yield_time_ms: 500 });
        await write({ session_id: id, chars: '\u0003', yield_time_ms: 2_000 });
      };

    it.each([
      ['on request', 'on-request', 'on-request', { cmd: 'cat', tty: true, ...escalated }],
      ['without a terminal', 'on-request', 'on-request', { cmd: 'sleep 60', ...escalated }],
      ['after a denial', ...GRANULAR(true), { cmd: `${denied} && cat`, tty: true }],
      ['not at all', 'on-request', 'on-request', { cmd: 'cat', tty: true }],
    ] as const)('%s', async (_name, theirs, ours, first) => {
      await same(calls(first), {
        codex: { sandbox: 'read-only', approving: { policy: theirs, decision: 'accept', input } },
        ours: {
          sandbox: readOnly(),
          approvalPolicy: ours,
          approve: ({ reason }) => (reason === 'input' && !allowsInput ? { allow: false } : { allow: true }),
        },
      });
    });
  },
);

describe('a model whose limit is in bytes', () => {
  it('is told of cut characters', async () => {
    await same(
      async ({ exec }) => {
        await exec({ cmd: 'seq 1 20000' });
        await exec({ cmd: 'yes "äöü€😀" | head -n 900' });
        await exec({ cmd: 'seq 1 200', max_output_tokens: 20 });
        await exec({ cmd: 'seq 1 200000' });
      },
      { codex: { cliFlags: ['--model', 'a-model-that-nobody-knows'] }, ours: { policy: { bytes: 10_000 } } },
    );
  });
});
