/**
 * A small assembler for WebAssembly. Code is built from expressions (functions that write bytes), so kernels read like
 * formulas: `const y = b.let(V128, f64x2.add(a.get, f64x2.mul(b.get, c.get)))`. Instructions are in `instructions.ts`.
 */

/** The most that can be addressed: 4 GiB. */
export const MOST_PAGES = 65536;

export const I32 = 0x7f;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;
export const GET_LOCAL = 0x20;
export const SET_LOCAL = 0x21;
export type ValueType = typeof I32 | typeof F32 | typeof F64 | typeof V128;

/** Where constant vectors can be loaded from. */
export interface Constants {
  /** The address of these bytes; null if they are better written out. */
  at(bytes: Uint8Array): number | null;
  /** What a module puts in memory when it is instantiated, where no other does. */
  readonly content?: { readonly at: number; readonly bytes: Uint8Array };
}

const numbers = new Float64Array(1);
const bytesOfNumber = new Uint8Array(numbers.buffer);

/** Grows as needed; a plain array of bytes is several times slower. */
export class Bytes {
  private data = new Uint8Array(1024);
  length = 0;

  /** Gives the local that holds the constant at an address, where constants are held in locals. */
  held: ((place: number) => number) | null = null;

  constructor(readonly constants: Constants | null = null) {}

  byte(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }

  private reserve(extra: number): void {
    const larger = new Uint8Array(Math.max(this.data.length * 2, this.length + extra));
    larger.set(this.data.subarray(0, this.length));
    this.data = larger;
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.data.length) this.reserve(bytes.length);
    this.data.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** An instruction with the number of a local, a function or the like. */
  indexed(opcode: number, index: number): void {
    if (index >= 0x80) {
      this.byte(opcode);
      this.unsigned(index);
      return;
    }
    if (this.length + 2 > this.data.length) this.reserve(2);
    this.data[this.length++] = opcode;
    this.data[this.length++] = index;
  }

  /** A constant float64. */
  number(value: number): void {
    numbers[0] = value;
    this.byte(0x44);
    this.append(bytesOfNumber);
  }

  /** LEB128. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  signed(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
      this.byte(done ? low : low | 0x80);
      if (done) return;
    }
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.unsigned(bytes.length);
    this.append(bytes);
  }

  /** The bytes so far, preceded by their number. */
  take(): Uint8Array {
    return this.data.slice(0, this.length);
  }
}

/** Writes code that leaves one value on the stack (or none, for statements). */
export type Expression = (code: Bytes) => void;

interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface Import {
  readonly name: string;
  readonly signature: Signature;
}

/** One function under construction. Statements are written at once; expressions where they are used. */
export class FunctionBuilder {
  readonly code: Bytes;
  /** What comes before. */
  private readonly start = new Bytes();
  private readonly locals: ValueType[] = [];

  constructor(
    readonly signature: Signature,
    constants: Constants | null = null,
  ) {
    this.code = new Bytes(constants);
  }

  /** Loads constants once, when the function starts: for functions with loops. */
  holdConstants(load: (place: number) => Expression): void {
    const held = new Map<number, number>();
    this.code.held = (place) => {
      let local = held.get(place);
      if (local === undefined) {
        local = this.localNumber(V128);
        held.set(place, local);
        load(place)(this.start);
        this.start.indexed(SET_LOCAL, local);
      }
      return local;
    };
  }

  parameter(index: number): Expression {
    return localGet(index);
  }

  local(type: ValueType): Local {
    return new Local(this, this.localNumber(type));
  }

  /** A new local, by its number. */
  localNumber(type: ValueType): number {
    return this.signature.parameters.length + this.locals.push(type) - 1;
  }

  /** A new local holding the value of an expression. */
  let(type: ValueType, value: Expression): Local {
    const local = this.local(type);
    local.set(value);
    return local;
  }

  /** A new local holding what was just left on the stack. */
  keep(type: ValueType): Local {
    return this.let(type, nothing);
  }

  /** A statement: an expression that leaves nothing. */
  do(statement: Expression): void {
    statement(this.code);
  }

  /** Ends the function with a value. */
  return(value: Expression): void {
    value(this.code);
    this.code.byte(0x0f);
  }

  /** Repeats the body while the condition, checked before each round, holds. */
  while(condition: Expression, body: () => void): void {
    const { code } = this;
    code.byte(0x02);
    code.byte(0x40); // block
    code.byte(0x03);
    code.byte(0x40); // loop
    condition(code);
    code.byte(0x45); // i32.eqz
    code.byte(0x0d);
    code.unsigned(1); // br_if out
    body();
    code.byte(0x0c);
    code.unsigned(0); // br to loop
    code.byte(0x0b);
    code.byte(0x0b);
  }

  if(condition: Expression, then: () => void, otherwise?: () => void): void {
    const { code } = this;
    condition(code);
    code.byte(0x04);
    code.byte(0x40);
    then();
    if (otherwise !== undefined) {
      code.byte(0x05);
      otherwise();
    }
    code.byte(0x0b);
  }

  /** The body as the code section wants it. */
  finish(): Uint8Array {
    const body = new Bytes();
    const runs: [number, ValueType][] = [];
    for (const type of this.locals) {
      const last = runs[runs.length - 1];
      if (last !== undefined && last[1] === type) last[0]++;
      else runs.push([1, type]);
    }
    body.unsigned(runs.length);
    for (const [count, type] of runs) {
      body.unsigned(count);
      body.byte(type);
    }
    body.append(this.start.take());
    body.append(this.code.take());
    body.byte(0x0b);
    return body.take();
  }
}

const nothing: Expression = () => {};

export class Local {
  readonly get: Expression;

  constructor(
    private readonly owner: FunctionBuilder,
    private readonly index: number,
  ) {
    this.get = localGet(index);
  }

  set(value: Expression): void {
    const { code } = this.owner;
    value(code);
    code.indexed(SET_LOCAL, this.index);
  }
}

function localGet(index: number): Expression {
  return (code) => code.indexed(GET_LOCAL, index);
}

/** A module under construction: imported functions come first in the numbering. */
export class ModuleBuilder {
  private readonly functions: { name: string | null; builder: FunctionBuilder }[] = [];

  constructor(
    private readonly imports: readonly Import[] = [],
    private readonly constants: Constants | null = null,
    /** Loads a constant, if functions are to load those they need when they start: see `holdConstants`. */
    private readonly load: ((place: number) => Expression) | null = null,
  ) {}

  /** Calls an import by name. */
  callImport(name: string, ...operands: Expression[]): Expression {
    const index = this.imports.findIndex((one) => one.name === name);
    if (index < 0) throw new Error(`Nothing named ${name} is imported.`);
    return call(index, operands);
  }

  /** Adds a function, exported if it has a name; gives a way to call it from functions added later. */
  function(
    name: string | null,
    parameters: readonly ValueType[],
    results: readonly ValueType[],
    write: (f: FunctionBuilder) => void,
  ): (...operands: Expression[]) => Expression {
    const builder = new FunctionBuilder({ parameters, results }, this.constants);
    if (this.load !== null) builder.holdConstants(this.load);
    write(builder);
    this.functions.push({ name, builder });
    const index = this.imports.length + this.functions.length - 1;
    return (...operands) => call(index, operands);
  }

  /** The module, which imports its memory (`shared` between threads or not) as `env.memory`, functions from `env`. */
  build(shared: boolean): Uint8Array<ArrayBuffer> {
    const out = new Bytes();
    for (const byte of [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]) out.byte(byte);
    const all = [...this.imports.map((one) => one.signature), ...this.functions.map((one) => one.builder.signature)];
    section(out, 1, all.length, (body) => {
      for (const { parameters, results } of all) {
        body.byte(0x60);
        body.unsigned(parameters.length);
        for (const type of parameters) body.byte(type);
        body.unsigned(results.length);
        for (const type of results) body.byte(type);
      }
    });
    section(out, 2, this.imports.length + 1, (body) => {
      body.text('env');
      body.text('memory');
      body.byte(0x02);
      body.byte(shared ? 0x03 : 0x00); // of any size, but shared memory has to have a maximum
      body.unsigned(1);
      if (shared) body.unsigned(MOST_PAGES);
      this.imports.forEach((one, i) => {
        body.text('env');
        body.text(one.name);
        body.byte(0x00);
        body.unsigned(i);
      });
    });
    section(out, 3, this.functions.length, (body) => {
      this.functions.forEach((_, i) => {
        body.unsigned(this.imports.length + i);
      });
    });
    const exported = this.functions.flatMap((one, i) => (one.name === null ? [] : [{ name: one.name, index: i }]));
    section(out, 7, exported.length, (body) => {
      for (const { name, index } of exported) {
        body.text(name);
        body.byte(0x00);
        body.unsigned(this.imports.length + index);
      }
    });
    section(out, 10, this.functions.length, (body) => {
      for (const { builder } of this.functions) {
        const bytes = builder.finish();
        body.unsigned(bytes.length);
        body.append(bytes);
      }
    });
    const content = this.constants?.content;
    if (content !== undefined) {
      section(out, 11, 1, (body) => {
        body.byte(0x00);
        body.byte(0x41); // i32.const
        body.signed(content.at);
        body.byte(0x0b);
        body.unsigned(content.bytes.length);
        body.append(content.bytes);
      });
    }
    return out.take() as Uint8Array<ArrayBuffer>;
  }
}

function section(out: Bytes, id: number, count: number, write: (body: Bytes) => void): void {
  const body = new Bytes();
  body.unsigned(count);
  write(body);
  const bytes = body.take();
  out.byte(id);
  out.unsigned(bytes.length);
  out.append(bytes);
}

function call(index: number, operands: readonly Expression[]): Expression {
  return (code) => {
    for (const operand of operands) operand(code);
    code.byte(0x10);
    code.unsigned(index);
  };
}
