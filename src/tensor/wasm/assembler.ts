/**
 * A small assembler for WebAssembly. Code is built from expressions (functions that write bytes), so kernels read like
 * formulas: `f.set(x, add(f.get(a), mul(f.get(b), f.get(c))))`. Only what the kernels need is here.
 */

export const I32 = 0x7f;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;
export type ValueType = typeof I32 | typeof F32 | typeof F64 | typeof V128;

/** Grows as needed; a plain array of bytes is several times slower. */
export class Bytes {
  private data = new Uint8Array(1024);
  length = 0;

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

export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface Import {
  readonly name: string;
  readonly signature: Signature;
}

/** One function under construction. Statements are written at once; expressions where they are used. */
export class FunctionBuilder {
  readonly code = new Bytes();
  private readonly locals: ValueType[] = [];

  constructor(readonly signature: Signature) {}

  parameter(index: number): Expression {
    return localGet(index);
  }

  local(type: ValueType): Local {
    const index = this.signature.parameters.length + this.locals.length;
    this.locals.push(type);
    return new Local(this, index);
  }

  /** A new local holding the value of an expression. */
  let(type: ValueType, value: Expression): Local {
    const local = this.local(type);
    local.set(value);
    return local;
  }

  /** A statement: an expression that leaves nothing. */
  do(statement: Expression): void {
    statement(this.code);
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
    body.append(this.code.take());
    body.byte(0x0b);
    return body.take();
  }
}

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
    code.byte(0x21);
    code.unsigned(this.index);
  }
}

function localGet(index: number): Expression {
  return (code) => {
    code.byte(0x20);
    code.unsigned(index);
  };
}

/** A module under construction: imported functions come first in the numbering. */
export class ModuleBuilder {
  private readonly functions: { name: string | null; builder: FunctionBuilder }[] = [];

  constructor(private readonly imports: readonly Import[] = []) {}

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
    const builder = new FunctionBuilder({ parameters, results });
    write(builder);
    this.functions.push({ name, builder });
    const index = this.imports.length + this.functions.length - 1;
    return (...operands) => call(index, operands);
  }

  /** The module, which imports its memory as `env.memory` and functions from `env`. */
  build(): Uint8Array<ArrayBuffer> {
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
      body.byte(0x00); // no maximum
      body.unsigned(1);
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

/** An instruction of one byte. */
export function plain(opcode: number): (...operands: Expression[]) => Expression {
  return (...operands) =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(opcode);
    };
}

/** A SIMD instruction. */
export function simd(opcode: number): (...operands: Expression[]) => Expression {
  return (...operands) =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(0xfd);
      code.unsigned(opcode);
    };
}

/** A SIMD load or store at a constant distance from an address; `align` is the power of two. */
function simdMemory(opcode: number, align: number) {
  return (operands: readonly Expression[], offset = 0, lane = -1): Expression =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(0xfd);
      code.unsigned(opcode);
      code.unsigned(align);
      code.unsigned(offset);
      if (lane >= 0) code.byte(lane);
    };
}

function memory(opcode: number, align: number) {
  return (operands: readonly Expression[], offset = 0): Expression =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(opcode);
      code.unsigned(align);
      code.unsigned(offset);
    };
}

function withLane(opcode: number) {
  return (lane: number, ...operands: Expression[]): Expression =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(0xfd);
      code.unsigned(opcode);
      code.byte(lane);
    };
}

export const i32 = {
  const: (value: number): Expression => {
    return (code) => {
      code.byte(0x41);
      code.signed(value);
    };
  },
  load: memory(0x28, 2),
  store: memory(0x36, 2),
  eqz: plain(0x45),
  eq: plain(0x46),
  lt: plain(0x48),
  ltUnsigned: plain(0x49),
  gt: plain(0x4a),
  ge: plain(0x4e),
  add: plain(0x6a),
  sub: plain(0x6b),
  mul: plain(0x6c),
  and: plain(0x71),
  shl: plain(0x74),
  /** Of a float64; NaN gives 0, what is too large the nearest there is. */
  truncateSaturating: (value: Expression): Expression => {
    return (code) => {
      value(code);
      code.byte(0xfc);
      code.unsigned(2);
    };
  },
};

export const f64 = {
  const: (value: number): Expression => {
    const bytes = new Uint8Array(Float64Array.of(value).buffer);
    return (code) => {
      code.byte(0x44);
      code.append(bytes);
    };
  },
  load: memory(0x2b, 3),
  store: memory(0x39, 3),
  eq: plain(0x61),
  add: plain(0xa0),
  promote: plain(0xbb),
  convertI32: plain(0xb7),
};

export const f32 = {
  load: memory(0x2a, 2),
  store: memory(0x38, 2),
  add: plain(0x92),
  demote: plain(0xb6),
};

function constantVector(buffer: ArrayBuffer): Expression {
  const bytes = new Uint8Array(buffer);
  return (code) => {
    code.byte(0xfd);
    code.unsigned(12);
    code.append(bytes);
  };
}

export const v128 = {
  load: simdMemory(0, 4),
  load32Splat: simdMemory(9, 2),
  load64Splat: simdMemory(10, 3),
  load32Zero: simdMemory(92, 2),
  load64Zero: simdMemory(93, 3),
  store: simdMemory(11, 4),
  store32Lane: simdMemory(90, 2),
  store64Lane: simdMemory(91, 3),
  not: simd(77),
  and: simd(78),
  /** a and not b. */
  andNot: simd(79),
  or: simd(80),
  xor: simd(81),
  /** Bits of the first where the third is set, of the second elsewhere. */
  bitselect: simd(82),
  anyTrue: simd(83),
  shuffle: (lanes: readonly number[], a: Expression, b: Expression): Expression => {
    return (code) => {
      a(code);
      b(code);
      code.byte(0xfd);
      code.unsigned(13);
      for (const lane of lanes) code.byte(lane);
    };
  },
};

export const i32x4 = {
  const: (a: number, b = a, c = a, d = a): Expression => constantVector(Int32Array.of(a, b, c, d).buffer),
  splat: simd(17),
  extract: withLane(27),
  allTrue: simd(163),
  eq: simd(55),
  gt: simd(59),
  lt: simd(57),
  shl: simd(171),
  shr: simd(172),
  shrUnsigned: simd(173),
  add: simd(174),
  sub: simd(177),
  mul: simd(181),
  truncF32: simd(248),
  truncF64Zero: simd(252),
};

export const i64x2 = {
  const: (a: bigint, b = a): Expression => constantVector(BigInt64Array.of(a, b).buffer),
  allTrue: simd(195),
  extendLow: simd(199),
  shl: simd(203),
  shr: simd(204),
  shrUnsigned: simd(205),
  add: simd(206),
  sub: simd(209),
  /** Products of the low (high) two unsigned words of each operand. */
  multiplyLow: simd(222),
  multiplyHigh: simd(223),
};

export const f32x4 = {
  lanes: 4,
  const: (value: number): Expression => constantVector(Float32Array.of(value, value, value, value).buffer),
  splat: simd(19),
  extract: withLane(31),
  eq: simd(65),
  ne: simd(66),
  lt: simd(67),
  gt: simd(68),
  le: simd(69),
  ge: simd(70),
  ceil: simd(103),
  floor: simd(104),
  trunc: simd(105),
  nearest: simd(106),
  abs: simd(224),
  neg: simd(225),
  sqrt: simd(227),
  add: simd(228),
  sub: simd(229),
  mul: simd(230),
  div: simd(231),
  min: simd(232),
  max: simd(233),
  convertI32: simd(250),
  demoteF64Zero: simd(94),
  /** a · b + c in one rounding or two, as the processor likes. */
  relaxedMadd: simd(0x105),
};

export const f64x2 = {
  lanes: 2,
  const: (value: number): Expression => constantVector(Float64Array.of(value, value).buffer),
  splat: simd(20),
  extract: withLane(33),
  eq: simd(71),
  ne: simd(72),
  lt: simd(73),
  gt: simd(74),
  le: simd(75),
  ge: simd(76),
  ceil: simd(116),
  floor: simd(117),
  trunc: simd(122),
  nearest: simd(148),
  abs: simd(236),
  neg: simd(237),
  sqrt: simd(239),
  add: simd(240),
  sub: simd(241),
  mul: simd(242),
  div: simd(243),
  min: simd(244),
  max: simd(245),
  convertLowI32: simd(254),
  promoteLowF32: simd(95),
  relaxedMadd: simd(0x107),
};

/** Float vectors of either precision, for code that is written once for both. */
export type FloatVector = typeof f64x2 | typeof f32x4;
