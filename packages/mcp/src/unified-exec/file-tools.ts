// `read_file`, `write_file` and `list_directory` as MCP tools, under the sandbox of the commands.
//
// A file that the policy does not let a command write is not written here either. There is no question about it: a model
// that wants more asks with exec_command.

import { type ExecServerClient, ExecServerError, type SandboxOption } from '@codex/exec-client';
import type { JsonObject, McpTool, ToolResult } from '../server/description.js';
import { countArgument, pathArgument, textArgument } from './file-arguments.js';
import { LIST_SCHEMA, READ_SCHEMA, WRITE_SCHEMA } from './output-schemas.js';
import { readLines } from './read-lines.js';

export interface FileToolParts {
  readonly client: ExecServerClient;
  readonly cwd: string;
  readonly sandbox: SandboxOption | undefined;
}

const MAX_LINES = 2_000;
const MAX_ENTRIES = 2_000;

const PATH = { type: 'string', description: 'Relative paths start at the working directory.' };

export function fileTools({ client, cwd, sandbox }: FileToolParts): McpTool[] {
  const options = (signal: AbortSignal) => ({ signal, ...(sandbox === undefined ? {} : { sandbox }) });
  return [
    {
      name: 'read_file',
      description: 'Reads lines of a text file.',
      inputSchema: schema(
        {
          path: PATH,
          offset: { type: 'integer', description: 'The first line, from 1. Default: 1.' },
          limit: { type: 'integer', description: `The most lines. Default: ${MAX_LINES}.` },
        },
        ['path'],
      ),
      outputSchema: READ_SCHEMA,
      annotations: { readOnlyHint: true, openWorldHint: false },
      handler: async (args, { signal }) => {
        const path = pathArgument(args, cwd);
        const first = countArgument(args, 'offset', 1);
        const limit = countArgument(args, 'limit', MAX_LINES);
        return answered(async () => {
          const blocks = client.fs.readStream(path, options(signal));
          const { content, lines, truncated } = await readLines(blocks, { first, limit });
          return { text: content, structured: { path, content, first_line: first, lines, truncated } };
        });
      },
    },
    {
      name: 'write_file',
      description: 'Creates or replaces a text file. Missing folders are made.',
      inputSchema: schema({ path: PATH, content: { type: 'string', description: 'All of the new file.' } }, [
        'path',
        'content',
      ]),
      outputSchema: WRITE_SCHEMA,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      handler: async (args, { signal }) => {
        const path = pathArgument(args, cwd);
        const bytes = Buffer.from(textArgument(args, 'content'));
        return answered(async () => {
          await client.fs.write(path, bytes, { ...options(signal), parents: true });
          return { text: `Wrote ${bytes.length} bytes.`, structured: { path, bytes_written: bytes.length } };
        });
      },
    },
    {
      name: 'list_directory',
      description: 'Lists what is directly in a folder.',
      inputSchema: schema({ path: PATH }, ['path']),
      outputSchema: LIST_SCHEMA,
      annotations: { readOnlyHint: true, openWorldHint: false },
      handler: async (args, { signal }) => {
        const path = pathArgument(args, cwd);
        return answered(async () => {
          const found = await client.fs.list(path, options(signal));
          const entries = found.slice(0, MAX_ENTRIES).map(({ name, kind }) => ({ name, kind }));
          const truncated = entries.length < found.length;
          const text = entries.map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name)).join('\n');
          return { text, structured: { path, entries, truncated } };
        });
      },
    },
  ];
}

function schema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** What the file system says is for the model to read. */
async function answered(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code, message, hint } = error;
    const text = hint === undefined ? message : `${message} (${hint})`;
    return {
      text,
      structured: { error: { code, message, ...(hint === undefined ? {} : { hint }) } },
      isError: true,
    };
  }
}

function isFailure(error: unknown): error is ExecServerError {
  return error instanceof ExecServerError;
}
