// Why a configuration cannot be read. A file that is missing is no error; one that is broken is.
import { CodedError } from '@codex/exec-protocol';

export type ConfigErrorCode = 'CONFIG_HOME_MISSING' | 'CONFIG_UNREADABLE' | 'CONFIG_INVALID';

export class ConfigError extends CodedError<ConfigErrorCode> {}
