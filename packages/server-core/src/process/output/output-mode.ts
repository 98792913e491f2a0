/**
 * Whether a client can still read a process's output, which decides what may be dropped of it.
 * - `held`: no client is attached, but one may come back: what is not known to be read stays, the child stalls at
 *   the cap.
 * - `live`: pushed to a client: again only what it has read goes, and what is not sent stalls the child.
 * - `free`: no client came back in time: the child runs on and the oldest output is dropped.
 */
export type OutputMode = 'held' | 'live' | 'free';
