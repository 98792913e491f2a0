// What is kept of a process's output also has to cover what may be lost with a connection: bytes that are on their way,
// and bytes that count as sent and wait in this process. Together with what is not sent yet they have to fit, or a client
// that comes back misses something. On the wire output is a third longer than it is kept, so there is room to spare.

export interface RetainedShares {
  /** On the way to a client: taken by the kernel, and not known to have been read. */
  readonly onItsWayBytes: number;
  /** Handed to a connection that has not passed it on. */
  readonly inConnectionBytes: number;
  /** Read from the command and not sent. */
  readonly unsentBytes: number;
}

export function sharesOf(retainedOutputBytesPerProcess: number): RetainedShares {
  return {
    onItsWayBytes: retainedOutputBytesPerProcess / 2,
    inConnectionBytes: retainedOutputBytesPerProcess / 8,
    unsentBytes: retainedOutputBytesPerProcess / 4,
  };
}
