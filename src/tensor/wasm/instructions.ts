/** The instructions kernels are made of, as functions from expressions to expressions. Only what is needed is here. */
import { type Expression, GET_LOCAL } from './assembler.ts';

/** An instruction of one byte. */
function plain(opcode: number): (...operands: Expression[]) => Expression {
  return (...operands) =>
    (code) => {
      for (const operand of operands) operand(code);
      code.byte(opcode);
    };
}

/** A SIMD instruction. */
function simd(opcode: number): (...operands: Expression[]) => Expression {
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

/** The first if the third is not 0, else the second. */
export const select = plain(0x1b);

/** (address, byte, number of bytes). */
export function fillMemory(...operands: [Expression, Expression, Expression]): Expression {
  return (code) => {
    for (const operand of operands) operand(code);
    code.byte(0xfc);
    code.unsigned(11);
    code.byte(0);
  };
}

/** (to, from, number of bytes). */
export function copyMemory(...operands: [Expression, Expression, Expression]): Expression {
  return (code) => {
    for (const operand of operands) operand(code);
    code.byte(0xfc);
    code.unsigned(10);
    code.byte(0);
    code.byte(0);
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
  le: plain(0x4c),
  ge: plain(0x4e),
  ne: plain(0x47),
  add: plain(0x6a),
  sub: plain(0x6b),
  mul: plain(0x6c),
  and: plain(0x71),
  or: plain(0x72),
  shl: plain(0x74),
  shrUnsigned: plain(0x76),
  /** A float64 as a whole number: NaN becomes 0, and a number that is too large the nearest there is. */
  truncateSaturating: (value: Expression): Expression => {
    return (code) => {
      value(code);
      code.byte(0xfc);
      code.unsigned(2);
    };
  },
};

export const f64 = {
  const:
    (value: number): Expression =>
    (code) =>
      code.number(value),
  load: memory(0x2b, 3),
  store: memory(0x39, 3),
  eq: plain(0x61),
  lt: plain(0x63),
  gt: plain(0x64),
  le: plain(0x65),
  ge: plain(0x66),
  abs: plain(0x99),
  neg: plain(0x9a),
  ceil: plain(0x9b),
  max: plain(0xa5),
  add: plain(0xa0),
  sub: plain(0xa1),
  mul: plain(0xa2),
  div: plain(0xa3),
  sqrt: plain(0x9f),
  promote: plain(0xbb),
  convertI32: plain(0xb7),
};

/** Whether a float64 is neither 0 nor −0. */
export const isNot0 = (x: Expression): Expression => i32.eqz(f64.eq(x, f64.const(0)));

export const f32 = {
  const: (value: number): Expression => {
    return (code) => {
      scratchF32[0] = value;
      code.byte(0x43);
      code.append(scratchBytes.subarray(0, 4));
    };
  },
  load: memory(0x2a, 2),
  store: memory(0x38, 2),
  add: plain(0x92),
  demote: plain(0xb6),
};

const scratch = new ArrayBuffer(16);
const scratchBytes = new Uint8Array(scratch);
const scratchF64 = new Float64Array(scratch);
const scratchF32 = new Float32Array(scratch);
const scratchI32 = new Int32Array(scratch);
const scratchI64 = new BigInt64Array(scratch);

/** A constant vector from where it is in memory. */
export const loadConstant = (place: number): Expression => v128.load([i32.const(place)]);

/** A constant whose 16 bytes `fill` puts into `scratch`. */
function constantVector(fill: () => void): Expression {
  return (code) => {
    fill();
    const place = code.constants?.at(scratchBytes) ?? null;
    if (place !== null) {
      if (code.held === null) loadConstant(place)(code);
      else code.indexed(GET_LOCAL, code.held(place));
      return;
    }
    code.byte(0xfd);
    code.unsigned(12);
    code.append(scratchBytes);
  };
}

export const v128 = {
  load: simdMemory(0, 4),
  load32Splat: simdMemory(9, 2),
  load64Splat: simdMemory(10, 3),
  load32Zero: simdMemory(92, 2),
  load64Zero: simdMemory(93, 3),
  store: simdMemory(11, 4),
  load32Lane: simdMemory(86, 2),
  load64Lane: simdMemory(87, 3),
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
  const: (value: number): Expression => constantVector(() => scratchI32.fill(value)),
  /** A constant for each lane. */
  constants: (...values: [number, number, number, number]): Expression => constantVector(() => scratchI32.set(values)),
  splat: simd(17),
  extract: withLane(27),
  /** The signs of the lanes, as bits of a number. */
  bitmask: simd(164),
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
  const: (value: bigint): Expression => constantVector(() => scratchI64.fill(value)),
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
  const: (value: number): Expression => constantVector(() => scratchF32.fill(value)),
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
  /** b < a ? b : a, in one instruction. */
  quickMin: simd(234),
  /** a < b ? b : a, in one instruction. */
  quickMax: simd(235),
  convertI32: simd(250),
  demoteF64Zero: simd(94),
  /** a · b + c in one rounding or two, depending on the processor. */
  relaxedMadd: simd(0x105),
};

export const f64x2 = {
  lanes: 2,
  const: (value: number): Expression => constantVector(() => scratchF64.fill(value)),
  splat: simd(20),
  extract: withLane(33),
  /** The vector with another number in the lane. */
  replace: withLane(34),
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
  quickMin: simd(246),
  quickMax: simd(247),
  convertLowI32: simd(254),
  promoteLowF32: simd(95),
  relaxedMadd: simd(0x107),
};

/** Float vectors of either precision, for code that is written once for both. */
export type FloatVector = typeof f64x2 | typeof f32x4;
