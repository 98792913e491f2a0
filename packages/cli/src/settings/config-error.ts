// The errors of the configuration, with file and line.

import { CodedError } from '@codex/exec-protocol';

export type ConfigFileErrorCode =
  | 'CONFIG_FILE_UNREADABLE'
  | 'CONFIG_FILE_INVALID'
  | 'CONFIG_VARIABLE_INVALID';

export class ConfigFileError extends CodedError<ConfigFileErrorCode> {}
