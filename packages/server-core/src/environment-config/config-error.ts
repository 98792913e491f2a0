// The errors of reading a Codex configuration. A missing file is no error; a broken one is.
import { CodedError } from '@codex/exec-protocol';

export type ConfigErrorCode = 'CONFIG_HOME_MISSING' | 'CONFIG_UNREADABLE' | 'CONFIG_INVALID';

export class ConfigError extends CodedError<ConfigErrorCode> {}
