// A way to move payloads: our client and server in one of the two forms, OpenSSH, or Node alone. Each does what it can of
// the same jobs.

/** What a job moves, so that every way moves the same. */
export interface Job {
  readonly name: string;
  /** Absent for what is not measured by its bytes. */
  readonly mebibytes?: number;
  readonly samplesPerRound: number;
}

export interface OpenWay {
  /** Undefined where it cannot do it. Resolves when everything is there. */
  readonly jobs: Readonly<Record<string, (() => PromiseLike<unknown>) | undefined>>;
  /** The processes of both ends, except for this one. */
  processIds(): readonly number[];
  close(): Promise<void>;
}

export interface Way {
  readonly name: string;
  open(folder: string): Promise<OpenWay>;
}
