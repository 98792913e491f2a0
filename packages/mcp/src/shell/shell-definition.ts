// The tool `shell` as clients list it. Names, types and the first sentence are those of OpenAI's server of the same name.

const NULLABLE_NOTE = 'Leave it out, or null, for the default.';

export const SHELL_INSTRUCTIONS =
  'This server provides a tool to execute shell commands and return their output.';

const DESCRIPTION = [
  'Runs a shell command and returns its output. You MUST provide the workdir as an absolute path.',
  'The command runs in Bash, in a sandbox. Rules of the user decide about every program it starts: some run outside of the ' +
    'sandbox, some only after the user has agreed, some not at all ("Execution denied: …").',
].join(' ');

export interface ShellLimits {
  readonly defaultTimeoutMs: number;
  readonly maxOutputBytes: number;
}

/** A JSON Schema, and what else a listed tool has. */
export function shellDefinition({ defaultTimeoutMs, maxOutputBytes }: ShellLimits) {
  return {
    name: 'shell',
    title: 'Shell command',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object' as const,
      properties: {
        command: { type: 'string', description: 'The bash string to execute.' },
        workdir: {
          type: 'string',
          description: 'The working directory to execute the command in. Must be an absolute path.',
        },
        timeout_ms: {
          type: ['integer', 'null'],
          minimum: 0,
          description: `The timeout for the command in milliseconds. Default ${defaultTimeoutMs}. ${NULLABLE_NOTE}`,
        },
        login: {
          type: ['boolean', 'null'],
          description: `Launch Bash with -lc instead of -c: defaults to true. ${NULLABLE_NOTE}`,
        },
      },
      required: ['command', 'workdir'],
    },
    outputSchema: {
      type: 'object' as const,
      properties: {
        exit_code: {
          type: 'integer',
          description: '128 + n after a signal n; 124 after a timeout',
        },
        output: {
          type: 'string',
          description: `stdout and stderr in the order they came; of more than ${maxOutputBytes} bytes the beginning and the end`,
        },
        stdout: { type: 'string' },
        stderr: { type: 'string' },
        duration: {
          type: 'object',
          properties: {
            secs: { type: 'integer', minimum: 0 },
            nanos: { type: 'integer', minimum: 0 },
          },
          required: ['secs', 'nanos'],
        },
        timed_out: { type: 'boolean' },
        truncated: { type: 'boolean' },
        omitted_bytes: { type: 'integer', minimum: 0, description: 'bytes left out of `output`' },
        sandbox_denied: {
          type: 'boolean',
          description: 'the command probably failed because of the sandbox',
        },
        notes: {
          type: 'array',
          items: { type: 'string' },
          description:
            'what the user should know: programs that were allowed to leave the sandbox and could not',
        },
      },
      required: [
        'exit_code',
        'output',
        'stdout',
        'stderr',
        'duration',
        'timed_out',
        'truncated',
        'omitted_bytes',
        'sandbox_denied',
      ],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    },
  };
}
