/** What a module of WebAssembly says of how its functions are to be compiled: a section by which V8 goes under a flag (`tiers.ts`). */

const NAME = 'compilationHints';

/** Compiled when it is first called. */
const LAZILY = 0b000001;
/** The same, and optimised at once, beside the program, so that it need not be called before. */
const OPTIMISED = 0b100111;

const IMPORTS = 2;
const FUNCTIONS = 3;
const EXPORTS = 7;
const CODE = 10;
const HEADER = 8;
/** Kinds of imports. */
const FUNCTION = 0;
const MEMORY = 2;

/** Reads what the engine's own modules have. */
class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}

  byte(): number {
    return this.bytes[this.at++];
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.unsigned();
    const start = this.at;
    this.at += length;
    return String.fromCharCode(...this.bytes.subarray(start, this.at));
  }

  /** The number of imported functions; nothing but functions and memory is imported. */
  importedFunctions(): number {
    let functions = 0;
    for (let left = this.unsigned(); left > 0; left--) {
      this.text();
      this.text();
      const kind = this.byte();
      if (kind === FUNCTION) functions++;
      const hasMaximum = kind === MEMORY && (this.byte() & 1) === 1;
      this.unsigned();
      if (hasMaximum) this.unsigned();
    }
    return functions;
  }

  /** The indices of exported functions by their names; nothing else is exported. */
  exportedFunctions(): Map<string, number> {
    const indices = new Map<string, number>();
    for (let left = this.unsigned(); left > 0; left--) {
      const name = this.text();
      this.byte();
      indices.set(name, this.unsigned());
    }
    return indices;
  }
}

/** The module with a section that has these functions optimised at once; one of the engine's own, with fewer than 128 functions. */
export function hinted(bytes: Uint8Array<ArrayBuffer>, functions: readonly string[]): Uint8Array<ArrayBuffer> {
  const reader = new Reader(bytes, HEADER);
  let [imported, count] = [0, 0];
  let exported = new Map<string, number>();
  for (;;) {
    const start = reader.at;
    const id = reader.byte();
    const length = reader.unsigned();
    const end = reader.at + length;
    if (id === IMPORTS) imported = reader.importedFunctions();
    else if (id === FUNCTIONS) count = reader.unsigned();
    else if (id === EXPORTS) exported = reader.exportedFunctions();
    else if (id === CODE) {
      const hints = new Array<number>(count).fill(LAZILY);
      for (const name of functions) hints[exported.get(name)! - imported] = OPTIMISED;
      const section = [NAME.length, ...Array.from(NAME, (letter) => letter.charCodeAt(0)), count, ...hints];
      return Uint8Array.of(...bytes.subarray(0, start), 0, section.length, ...section, ...bytes.subarray(start));
    }
    reader.at = end;
  }
}
