// What measures requests. A server without any measures nothing.

export interface MeasuredRequest {
  readonly method: string;
  readonly params: unknown;
  /** The `trace` member of the request. */
  readonly trace: unknown;
  /** The handle of the session that it belongs to, if it has one. */
  readonly session: string | undefined;
}

export type RequestResult = 'success' | 'error';

export interface RequestInstrument {
  /** The request begins; what is returned is called once, with how it ended. */
  begin(request: MeasuredRequest): (result: RequestResult) => void;
}

/** Runs the work between the two. */
export function measured(
  instruments: readonly RequestInstrument[],
  request: MeasuredRequest,
  work: () => unknown,
): unknown {
  const ends = instruments.map((instrument) => instrument.begin(request));
  const end = (result: RequestResult): void => {
    for (const one of ends) one(result);
  };
  try {
    const value = work();
    if (!(value instanceof Promise)) {
      end('success');
      return value;
    }
    return value.then(
      (settled: unknown) => {
        end('success');
        return settled;
      },
      (error: unknown) => {
        end('error');
        throw error;
      },
    );
  } catch (error) {
    end('error');
    throw error;
  }
}
