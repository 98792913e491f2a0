// The few globals this package uses, declared here because it compiles without any runtime's type library.
// Every one of them is optional: what a runtime lacks has a plain fallback.

export interface NativeBytes extends Uint8Array {
  toString(encoding?: string, start?: number, end?: number): string;
  write(text: string, offset: number, encoding: string): number;
}

export interface NativeBuffer {
  allocUnsafeSlow(length: number): NativeBytes;
  from(text: string, encoding: string): NativeBytes;
  from(memory: ArrayBufferLike, offset: number, length: number): NativeBytes;
}

interface Uint8ArrayWithBase64 {
  fromBase64?(text: string, options: { lastChunkHandling: 'strict' }): Uint8Array;
}

interface ParsedUrl {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly href: string;
}

interface RuntimeProcess {
  readonly versions?: { readonly node?: string; readonly bun?: string; readonly deno?: string };
}

interface Runtime {
  readonly process?: RuntimeProcess;
  readonly Buffer?: NativeBuffer;
  readonly Uint8Array: Uint8ArrayConstructor & Uint8ArrayWithBase64;
  readonly URL: new (text: string) => ParsedUrl;
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (
    label: string,
    options: { fatal: boolean; ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array, options?: { stream: boolean }): string };
}

export const runtime = globalThis as unknown as Runtime;
