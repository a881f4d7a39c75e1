/** What the modules for trajectories have in common: rows of numbers, the table, leapfrog steps, random numbers. */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Local,
  type ModuleBuilder,
  V128,
} from '../../../tensor/wasm/assembler.ts';
import { f64, i32, i32x4, select, v128 } from '../../../tensor/wasm/instructions.ts';
import { type Call, layersOf, placesOf } from '../../../tensor/wasm/normals.ts';
import { philoxLoop } from '../../../tensor/wasm/philox.ts';
import { TABLE } from './trajectory-table.ts';

export const zero = i32.const(0);
export const one = i32.const(1);

/** A row of float64 whose start is known only at run time. */
export class Row {
  private readonly start: Local;

  constructor(
    private readonly b: FunctionBuilder,
    start: Expression,
  ) {
    this.start = b.let(I32, start);
  }

  at(i: Expression): Expression {
    return i32.add(this.start.get, i32.shl(i, i32.const(3)));
  }

  load(i: Expression): Expression {
    return f64.load([this.at(i)]);
  }

  store(i: Expression, value: Expression): void {
    this.b.do(f64.store([this.at(i), value]));
  }

  /** Goes on to the next row. */
  advance(numbers: Expression): void {
    this.start.set(this.at(numbers));
  }
}

/** A loop over 0 … n − 1. */
export function count(b: FunctionBuilder, n: Expression, body: (i: Expression) => void): void {
  const i = b.let(I32, zero);
  b.while(i32.lt(i.get, n), () => {
    body(i.get);
    i.set(i32.add(i.get, one));
  });
}

export const word = (table: Expression, name: keyof typeof TABLE): Expression => i32.load([table], 4 * TABLE[name]);

/** What the functions below have in common. */
export function atTable(b: FunctionBuilder, table: Expression) {
  const dimension = b.let(I32, word(table, 'dimension')).get;
  const outputs = b.let(I32, word(table, 'outputs')).get;
  const output = (i: Expression): Expression => i32.load([i32.add(outputs, i32.shl(i, i32.const(2)))]);
  return {
    dimension,
    position: new Row(b, word(table, 'slots')),
    momentum: new Row(b, word(table, 'momenta')),
    inverseMass: new Row(b, word(table, 'inverseMasses')),
    logDensity: f64.load([output(zero)]),
    slope: (i: Expression): Expression => f64.load([output(i32.add(i, one))]),
    setDensity: (value: Expression): void => b.do(f64.store([output(zero), value])),
    setSlope: (i: Expression, value: Expression): void => b.do(f64.store([output(i32.add(i, one)), value])),
  };
}

/** `travel(count, step, table)`: leapfrog steps, the arithmetic of `Flow.leapfrog`. */
export function addTravel(module: ModuleBuilder): Call {
  return module.function('travel', [I32, F64, I32], [], (b) => {
    const [steps, step, table] = [b.parameter(0), b.parameter(1), b.parameter(2)];
    const { dimension, position, momentum, inverseMass, slope } = atTable(b, table);
    const half = b.let(F64, f64.mul(f64.const(0.5), step)).get;
    const kicked = (i: Expression): Expression => f64.add(momentum.load(i), f64.mul(half, slope(i)));
    count(b, steps, () => {
      count(b, dimension, (i) => {
        const speed = b.let(F64, kicked(i));
        momentum.store(i, speed.get);
        const moved = f64.mul(f64.mul(step, inverseMass.load(i)), speed.get);
        position.store(i, f64.add(position.load(i), moved));
      });
      b.do(module.callImport('compute', word(table, 'slots')));
      count(b, dimension, (i) => momentum.store(i, kicked(i)));
    });
  });
}

/** `logJoint(log-density, table)`: the negative energy of the point in the table; what is not a number is as good as impossible. */
export function addLogJoint(module: ModuleBuilder): Call {
  return module.function(null, [F64, I32], [F64], (b) => {
    const { dimension, momentum, inverseMass } = atTable(b, b.parameter(1));
    const kinetic = b.let(F64, f64.const(0));
    count(b, dimension, (i) => {
      const square = f64.mul(f64.mul(momentum.load(i), momentum.load(i)), inverseMass.load(i));
      kinetic.set(f64.add(kinetic.get, square));
    });
    const joint = b.let(F64, f64.sub(b.parameter(0), f64.mul(f64.const(0.5), kinetic.get)));
    b.do(select(joint.get, f64.const(-Infinity), f64.eq(joint.get, joint.get)));
  });
}

/** Numbers that `addNumbers` makes at once, and the bytes of each: its place and its layer, see `wasm/normals.ts`. */
export const BATCH = 8;
export const NUMBER_BYTES = 16;

/**
 * `numbers(to, block, choice, epoch, key 0, key 1)`: what eight random numbers are made of, from a block of the choice on. A
 * block gives two numbers, each of which is a normal or a uniform.
 */
export function addNumbers(module: ModuleBuilder): Call {
  return module.function(null, new Array(6).fill(I32), [], (b) => {
    const [to, block, choice, epoch, key0, key1] = Array.from({ length: 6 }, (_, i) => b.parameter(i));
    const counter = [
      i32x4.add(i32x4.splat(block), i32x4.constants(0, 1, 2, 3)),
      i32x4.splat(choice),
      i32x4.splat(epoch),
      i32x4.const(0),
    ];
    const words = philoxLoop(b, counter, [i32x4.splat(key0), i32x4.splat(key1)]);
    for (const second of [0, 2]) {
      const layers = b.let(V128, layersOf(words[second], words[second + 1]));
      placesOf(b, words[second], words[second + 1]).forEach((pair, upper) => {
        const places = b.let(V128, pair);
        for (const half of [0, 1]) {
          const lane = 2 * upper + half;
          const at = 2 * NUMBER_BYTES * lane + 8 * second;
          b.do(v128.store64Lane([to, places.get], at, half));
          b.do(i32.store([to, i32x4.extract(lane, layers.get)], at + 8));
        }
      });
    }
  });
}

/** The uniform of a place p, which is 2 u − 1 without rounding. */
export const uniformOf = (place: Expression): Expression => f64.mul(f64.const(0.5), f64.add(place, f64.const(1)));
