/**
 * Hamiltonian trajectories around any plan that computes a log-density and its gradient, in WebAssembly: a short run would spend
 * more time on V8's learning what the same loops in JavaScript do than on the loops. Logarithms and the like are the host's
 * own functions, and numbers are drawn and added up as in JavaScript, so that results are the same to the last bit.
 * `leapfrog.ts` and `transitions.ts` call it; what it works on is said by a table of words (`desk.ts`).
 */
import { type Expression, F64, type FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from '../wasm/assembler.ts';
import { f64, i32, i32x4, select, v128 } from '../wasm/instructions.ts';
import { addBeyond, layersOf, NORMAL_IMPORTS, normalAt, placesOf } from '../wasm/normals.ts';
import { philox } from '../wasm/philox.ts';
import { DESK, EXTRA } from './desk.ts';

const zero = i32.const(0);
const one = i32.const(1);

/** A row of float64 whose start is known only at run time. */
class Row {
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
function count(b: FunctionBuilder, n: Expression, body: (i: Expression) => void): void {
  const i = b.let(I32, zero);
  b.while(i32.lt(i.get, n), () => {
    body(i.get);
    i.set(i32.add(i.get, one));
  });
}

const word = (desk: Expression, name: keyof typeof DESK): Expression => i32.load([desk], 4 * DESK[name]);

/** What the functions below have in common. */
function atDesk(b: FunctionBuilder, desk: Expression) {
  const dimension = b.let(I32, word(desk, 'dimension')).get;
  const outputs = b.let(I32, word(desk, 'outputs')).get;
  const output = (i: Expression): Expression => i32.load([i32.add(outputs, i32.shl(i, i32.const(2)))]);
  return {
    dimension,
    position: new Row(b, word(desk, 'slots')),
    momentum: new Row(b, word(desk, 'momenta')),
    inverseMass: new Row(b, word(desk, 'inverseMasses')),
    logDensity: f64.load([output(zero)]),
    slope: (i: Expression): Expression => f64.load([output(i32.add(i, one))]),
    setSlope: (i: Expression, value: Expression): void => b.do(f64.store([output(i32.add(i, one)), value])),
  };
}

/** `travel(count, step, desk)`: leapfrog steps, the arithmetic of `Flow.leapfrog`. */
function addTravel(module: ModuleBuilder): (...operands: Expression[]) => Expression {
  return module.function('travel', [I32, F64, I32], [], (b) => {
    const [steps, step, desk] = [b.parameter(0), b.parameter(1), b.parameter(2)];
    const { dimension, position, momentum, inverseMass, slope } = atDesk(b, desk);
    const half = b.let(F64, f64.mul(f64.const(0.5), step)).get;
    const kicked = (i: Expression): Expression => f64.add(momentum.load(i), f64.mul(half, slope(i)));
    count(b, steps, () => {
      count(b, dimension, (i) => {
        const speed = b.let(F64, kicked(i));
        momentum.store(i, speed.get);
        const moved = f64.mul(f64.mul(step, inverseMass.load(i)), speed.get);
        position.store(i, f64.add(position.load(i), moved));
      });
      b.do(module.callImport('compute', word(desk, 'slots')));
      count(b, dimension, (i) => momentum.store(i, kicked(i)));
    });
  });
}

/**
 * `draw(transitions, desk, choice, stride, epoch, key 0, key 1)`: the random numbers of transitions, each a choice of its own
 * of the stream with that key. A block gives two numbers, each of which is a normal or a uniform; four are made at once.
 */
function addDraw(module: ModuleBuilder): void {
  const beyond = addBeyond(module);
  module.function('draw', new Array(7).fill(I32), [], (b) => {
    const [transitions, desk, first, stride, epoch, key0, key1] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const dimension = b.let(I32, word(desk, 'dimension')).get;
    const table = b.let(I32, word(desk, 'normals')).get;
    const out = new Row(b, word(desk, 'draws'));
    // For each number its place and its layer: see `wasm/normals.ts`.
    const raw = new Row(b, word(desk, 'raw'));
    const choice = b.let(I32, first);
    const numbers = b.let(I32, i32.add(dimension, i32.const(EXTRA))).get;
    count(b, transitions, () => {
      const block = b.let(I32, zero);
      b.while(i32.lt(i32.shl(block.get, one), numbers), () => {
        const counter = [
          i32x4.add(i32x4.splat(block.get), i32x4.constants(0, 1, 2, 3)),
          i32x4.splat(choice.get),
          i32x4.splat(epoch),
          i32x4.const(0),
        ];
        const words = philox(b, counter, [i32x4.splat(key0), i32x4.splat(key1)], true);
        for (const second of [0, 2]) {
          const layers = b.let(V128, layersOf(words[second], words[second + 1]));
          for (const upper of [false, true]) {
            const places = b.let(V128, placesOf(words[second], words[second + 1], upper));
            for (const half of [0, 1]) {
              const lane = (upper ? 2 : 0) + half;
              const at = b.let(I32, raw.at(i32.shl(i32.add(block.get, i32.const(lane)), i32.const(2)))).get;
              b.do(v128.store64Lane([at, places.get], 8 * second, half));
              b.do(i32.store([at, i32x4.extract(lane, layers.get)], 8 * second + 8));
            }
          }
        }
        block.set(i32.add(block.get, i32.const(4)));
      });
      const placeOf = (i: Expression): Expression => raw.load(i32.shl(i, one));
      count(b, dimension, (i) => {
        const place = b.let(F64, placeOf(i));
        const layer = b.let(I32, i32.load([raw.at(i32.shl(i, one))], 8));
        const origin = { key0, key1, choice: choice.get, epoch, number: i };
        out.store(i, normalAt(b, beyond, table, place, layer, origin).get);
      });
      // A place p is 2 u − 1 of a uniform u, without rounding.
      for (let k = 0; k < EXTRA; k++) {
        const i = i32.add(dimension, i32.const(k));
        out.store(i, f64.mul(f64.const(0.5), f64.add(placeOf(i), f64.const(1))));
      }
      out.advance(numbers);
      choice.set(i32.add(choice.get, stride));
    });
  });
}

/**
 * `transitions(transitions, leaps, step size, jitter, desk)`: of Hamiltonian Monte Carlo, with the numbers drawn for them.
 * `jitter` is how far the step size of a trajectory may be from the one asked for.
 */
function addTransitions(module: ModuleBuilder, travel: (...operands: Expression[]) => Expression): void {
  module.function('transitions', [I32, I32, F64, F64, I32], [], (b) => {
    const [transitions, leaps, stepSize, jitter, desk] = Array.from({ length: 5 }, (_, i) => b.parameter(i));
    const { dimension, position, momentum, inverseMass, logDensity, slope, setSlope } = atDesk(b, desk);
    const home = new Row(b, word(desk, 'home'));
    const draws = new Row(b, word(desk, 'draws'));
    const visits = new Row(b, word(desk, 'visits'));
    const width = b.let(I32, i32.add(dimension, i32.const(EXTRA))).get;
    const gradientOf = (i: Expression): Expression => i32.add(dimension, i);
    const density = i32.shl(dimension, one);
    /** Negative energy; what is not a number is as good as impossible. */
    const logJoint = (at: Expression): Local => {
      const kinetic = b.let(F64, f64.const(0));
      count(b, dimension, (i) => {
        const square = f64.mul(f64.mul(momentum.load(i), momentum.load(i)), inverseMass.load(i));
        kinetic.set(f64.add(kinetic.get, square));
      });
      const joint = b.let(F64, f64.sub(at, f64.mul(f64.const(0.5), kinetic.get)));
      return b.let(F64, select(joint.get, f64.const(-Infinity), f64.eq(joint.get, joint.get)));
    };
    count(b, transitions, () => {
      const accepted = b.let(I32, zero);
      const before = b.let(F64, home.load(density));
      b.if(f64.eq(f64.sub(before.get, before.get), f64.const(0)), () => {
        count(b, dimension, (i) => {
          momentum.store(i, f64.div(draws.load(i), f64.sqrt(inverseMass.load(i))));
          position.store(i, home.load(i));
          setSlope(i, home.load(gradientOf(i)));
        });
        const start = logJoint(before.get);
        const chance = f64.sub(f64.mul(f64.const(2), draws.load(dimension)), f64.const(1));
        const step = f64.mul(stepSize, f64.add(f64.const(1), f64.mul(jitter, chance)));
        b.do(travel(leaps, step, desk));
        const end = logJoint(logDensity);
        const threshold = module.callImport('log', draws.load(i32.add(dimension, one)));
        accepted.set(f64.lt(threshold, f64.sub(end.get, start.get)));
        b.if(accepted.get, () => {
          count(b, dimension, (i) => {
            home.store(i, position.load(i));
            home.store(gradientOf(i), slope(i));
          });
          home.store(density, logDensity);
        });
      });
      count(b, dimension, (i) => visits.store(i, home.load(i)));
      visits.store(dimension, home.load(density));
      visits.store(i32.add(dimension, one), f64.convertI32(accepted.get));
      draws.advance(width);
      visits.advance(width);
    });
  });
}

/** The module. `?bytes` gives it as the build has made it. */
export default function trajectoryModule(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder([
    { name: 'compute', signature: { parameters: [I32], results: [] } },
    ...NORMAL_IMPORTS,
  ]);
  const travel = addTravel(module);
  addDraw(module);
  addTransitions(module, travel);
  return module.build(false);
}
