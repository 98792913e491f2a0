// A filter of system calls, run on a call without making it.

/** Runs a filter as the kernel does. */
export function evaluate(
  program: Uint8Array,
  call: { nr: number; arch: number; args: readonly bigint[] },
): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.nr, true);
  data.setUint32(4, call.arch, true);
  call.args.forEach((value, index) => {
    data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, value), true);
  });
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = view.getUint16(at * 8, true);
    const [jumpTrue, jumpFalse, value] = [
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
      view.getUint32(at * 8 + 4, true),
    ];
    if (code === 0x20) accumulator = data.getUint32(value, true);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x06) return value;
    else {
      const holds =
        code === 0x15
          ? accumulator === value
          : code === 0x35
            ? accumulator >= value
            : (accumulator & value) !== 0;
      at += holds ? jumpTrue : jumpFalse;
    }
  }
  throw new Error('the program does not end');
}
