// JSON Schemas of what the tools return.

import type { JsonObject } from '../server/description.js';

const string = (description: string): JsonObject => ({ type: 'string', description });
const number = (description: string): JsonObject => ({ type: 'number', description });
const integer = (description: string): JsonObject => ({ type: 'integer', description });
const boolean = (description: string): JsonObject => ({ type: 'boolean', description });

const ERROR: JsonObject = {
  type: 'object',
  description: 'Why the call gave no output.',
  properties: { code: string('Stable.'), message: string('What was wrong.'), hint: string('What to do.') },
  required: ['code', 'message'],
};

function object(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', properties, required: [...required] };
}

export const OUTPUT_SCHEMA = object(
  {
    output: string('What the command printed, shortened in the middle where it is too long.'),
    exit_code: integer('Of a command that has ended.'),
    session_id: integer('Of a command that still runs: for write_stdin.'),
    wall_time_seconds: number('How long it ran or was waited for.'),
    original_token_count: integer('Of the output before it was shortened.'),
    chunk_id: string('Names this result.'),
    notes: { type: 'array', items: { type: 'string' }, description: 'What else there is to know.' },
    sandbox_denied: boolean('The sandbox was in the way of the command.'),
    sandbox_denial: { type: 'object', description: 'What it denied, as far as that is known.' },
    error: ERROR,
  },
  ['output', 'wall_time_seconds'],
);

export const SESSIONS_SCHEMA = object(
  {
    sessions: {
      type: 'array',
      items: object({
        session_id: integer('For write_stdin.'),
        command: string('As it was given.'),
        cwd: string('Where it runs.'),
        tty: boolean('In a terminal.'),
        running_seconds: number('Since its start.'),
      }),
    },
  },
  ['sessions'],
);

export const PATCH_SCHEMA = object(
  {
    output: string('What was done, or why nothing was.'),
    changes: {
      type: 'array',
      items: object({ kind: string('added, updated or deleted.'), path: string('As the patch names it.') }),
    },
    wall_time_seconds: number('How long it took.'),
    error: ERROR,
  },
  ['output'],
);

export const READ_SCHEMA = object({
  path: string('Absolute.'),
  content: string('The lines, with their ends.'),
  first_line: integer('Number of the first line, from 1.'),
  lines: integer('How many there are in `content`.'),
  truncated: boolean('The file goes on behind it.'),
  error: ERROR,
});

export const WRITE_SCHEMA = object({
  path: string('Absolute.'),
  bytes_written: integer('Length of the file.'),
  error: ERROR,
});

export const LIST_SCHEMA = object({
  path: string('Absolute.'),
  entries: {
    type: 'array',
    items: object({ name: string('Without the folder.'), kind: string('file, directory or other.') }),
  },
  truncated: boolean('There are more entries.'),
  error: ERROR,
});
