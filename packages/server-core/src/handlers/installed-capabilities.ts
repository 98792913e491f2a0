// The handler of `capabilities/discoverV2`.

import type { FileSystems } from '@codex/exec-files';
import { parsePathArgument, toRpcError } from '@codex/exec-files';
import { formatPath, type ParamsOf } from '@codex/exec-protocol';
import { MAX_ANSWER_BYTES } from '../capability/discovery-limits.js';
import { type CodexHomeOptions, codexHome, userHome } from '../environment-config/codex-home.js';
import { FILE_ORDER } from '../files/connection-files.js';
import type { Handlers, RequestContext } from './handler-table.js';

export interface InstalledCapabilitiesOptions extends CodexHomeOptions {
  readonly files: FileSystems;
}

export function installedCapabilitiesHandlers(options: InstalledCapabilitiesOptions): Handlers {
  const handleDiscover = (params: ParamsOf<'capabilities/discoverV2'>, context: RequestContext) => {
    // The folder only says in which form paths are answered: what is installed is the same for all of them.
    const { form } = parsePathArgument(params.cwd);
    const { signal } = context.connection;
    const discover = async () => {
      const { discoverInstalled } = await import('../capability/installed/discover-installed.js');
      const homes = {
        // A home that is not there holds nothing.
        codexHome: await codexHome(options).catch(() => undefined),
        userHome: userHome(options),
      };
      return discoverInstalled({
        homes,
        fileSystem: await options.files.choose(context.session, params.sandbox),
        formatPath: (found) => formatPath(found, form),
        parsePath: (text) => parsePathArgument(text).native,
        room: { bytes: MAX_ANSWER_BYTES },
        signal,
      });
    };
    return context.connection
      .slice(FILE_ORDER)
      .read(discover)
      .catch((error: unknown) => {
        throw toRpcError(error);
      });
  };
  return { 'capabilities/discoverV2': handleDiscover };
}
