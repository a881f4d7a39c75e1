/**
 * Puts a limit on what a program may hold in buffers: typed arrays, ArrayBuffers, and memories of WebAssembly, its own and the
 * engine's. Constructors and methods that take memory ask a ledger first. (The heap of objects has the browser's limit, which ends the
 * process of the frame; the page then makes another.)
 */
import { MemoryLedger } from './memory-ledger.ts';

/** Bytes of a page of WebAssembly's memory, and the most that it can have. */
const PAGE = 65536;
const MOST_PAGES = 65536;

/** Longer than anything can be: the host says what is wrong with it. */
const NO_LENGTH = 2 ** 53;

type Maker = new (...args: unknown[]) => object;

/** Called before any program begins, in a turn of its own. What it gives changes the limit. */
export function limitMemory(bytes: number): (bytes: number) => void {
  const ledger = new MemoryLedger(bytes);
  limitArrays(ledger);
  limitBuffers(ledger);
  limitWebAssembly(ledger);
  return (other) => {
    ledger.limit = other;
  };
}

const TYPED = [
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
];
/** Methods that make another of the same size, and ask no constructor. */
const COPYING = ['toReversed', 'toSorted', 'with'];

function limitArrays(ledger: MemoryLedger): void {
  const Buffer = ArrayBuffer;
  const makers = globalThis as unknown as Record<string, (Maker & { readonly BYTES_PER_ELEMENT: number }) | undefined>;
  guardMethods(
    ledger,
    Object.getPrototypeOf(Float64Array.prototype) as object,
    COPYING,
    ({ byteLength }) => byteLength,
  );
  for (const name of TYPED) {
    const width = makers[name]?.BYTES_PER_ELEMENT ?? 0;
    replace(ledger, name, (first) => {
      if (typeof first === 'number') return first * width;
      if (typeof first !== 'object' || first === null || first instanceof Buffer) return 0;
      return (first as ArrayLike<unknown>).length * width;
    });
  }
}

function limitBuffers(ledger: MemoryLedger): void {
  const { prototype } = ArrayBuffer;
  guardMethods(ledger, prototype, ['slice'], ({ byteLength }) => byteLength);
  guardMethods(
    ledger,
    prototype,
    ['transfer', 'transferToFixedLength'],
    ({ byteLength }, to) => Number(to) - byteLength,
  );
  replace(ledger, 'ArrayBuffer', (length, options) => {
    const most = (options as { readonly maxByteLength?: unknown } | undefined)?.maxByteLength;
    return Number(most ?? length);
  });
}

/** Puts a constructor in the place of another: the same, but that it asks first. */
function replace(ledger: MemoryLedger, name: string, price: (first: unknown, second: unknown) => number): void {
  const maker = (globalThis as unknown as Record<string, Maker | undefined>)[name];
  if (maker === undefined) return;
  function Limited(first: unknown, second: unknown, third: unknown): object {
    // Without `new` the host says what it always says.
    if (new.target === undefined) return (maker as unknown as (first: unknown) => object)(first);
    const bytes = price(first, second);
    const noted = bytes > 0 && bytes < NO_LENGTH && ledger.admit(bytes);
    const made: object =
      new.target === (Limited as unknown)
        ? new maker!(first, second, third)
        : Reflect.construct(maker!, [first, second, third], new.target);
    if (noted) ledger.note((made as { readonly buffer?: object }).buffer ?? made);
    return made;
  }
  putInPlace(globalThis, name, maker, Limited);
}

function limitWebAssembly(ledger: MemoryLedger): void {
  const { Memory } = WebAssembly;
  const grow = Memory.prototype.grow;
  Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    const noted = pages > 0 && ledger.admit(pages * PAGE);
    const before = grow.call(this, pages);
    if (noted) ledger.note(this);
    return before;
  };
  function Limited(shape: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
    if (new.target === undefined) return (Memory as unknown as (shape: unknown) => WebAssembly.Memory)(shape);
    const { initial, maximum = MOST_PAGES } = shape;
    const noted = initial > 0 && ledger.admit(initial * PAGE);
    // What a module does by itself meets the limit too.
    const most = Math.max(initial, Math.min(maximum, Math.floor(ledger.limit / PAGE)));
    const made = Reflect.construct(Memory, [{ ...shape, maximum: most }], new.target) as WebAssembly.Memory;
    if (noted) ledger.note(made);
    return made;
  }
  putInPlace(WebAssembly, 'Memory', Memory, Limited);
}

function putInPlace(where: object, name: string, old: { readonly prototype: object }, other: object): void {
  Object.defineProperties(other, Object.getOwnPropertyDescriptors(old));
  Object.setPrototypeOf(other, Object.getPrototypeOf(old) as object);
  Object.defineProperty(old.prototype, 'constructor', { value: other });
  Object.defineProperty(where, name, { value: other });
}

/** Methods that take memory ask first; `price` is how many bytes. */
function guardMethods(
  ledger: MemoryLedger,
  prototype: object,
  names: readonly string[],
  price: (it: { readonly byteLength: number }, first: unknown) => number,
): void {
  const methods = prototype as Record<string, ((this: object, ...args: unknown[]) => object) | undefined>;
  for (const name of names) {
    const method = methods[name];
    if (method === undefined) continue;
    const guarded = function (this: { readonly byteLength: number }, ...args: unknown[]): object {
      const bytes = price(this, args[0]);
      const noted = bytes > 0 && ledger.admit(bytes);
      const made = method.apply(this, args);
      if (noted) ledger.note((made as { readonly buffer?: object }).buffer ?? made);
      return made;
    };
    Object.defineProperty(guarded, 'name', { value: name });
    Object.defineProperty(prototype, name, { value: guarded });
  }
}
