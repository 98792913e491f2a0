// A ticket that leaked into a sandbox opens nothing: as for ordinary connections, a process outside of every sandbox has to
// be seen holding the connection.
// Browsers of the Chromium family give up privileges for each of their processes, the one that holds the sockets included,
// and are as confined as that, no more. So are commands in the weakest form of a sandbox; ours run below this server.
// Does not stop: a command that another program started in such a form, once it has a ticket. Does not let in: a browser that
// runs in a container or in a sandbox of its own, such as one from Flatpak or Snap.

import { processTables, threadTables } from '../gate/descriptor-tables.js';
import { FreeHolderSearch } from '../gate/free-holder-search.js';
import { gaveUpPrivilegesOnly } from '../gate/process-confinement.js';
import { isBelowThisServer } from '../gate/process-entries.js';

const REFUSAL =
  'a console inside a sandbox is refused, and no browser outside of one is seen to hold this connection';

const byProcess = new FreeHolderSearch({
  tables: processTables,
  limitMs: 5000,
  isFreeAnyway: (holder, own) => gaveUpPrivilegesOnly(holder, own) && !isBelowThisServer(holder.parentPid),
});
const byThread = new FreeHolderSearch({ tables: threadTables, limitMs: 2000 });

/** The reason to refuse, or undefined. */
export async function sandboxedBrowserRefusal(inode: number): Promise<string | undefined> {
  const seen = (await byProcess.find(inode)) || (await byThread.find(inode));
  return seen ? undefined : REFUSAL;
}
