/**
 * Hamiltonian trajectories around any plan that computes a log-density and its gradient, in WebAssembly: a short run would spend
 * more time on V8's learning what the same loops in JavaScript do than on the loops. Logarithms and the like are JavaScript's
 * own functions, and numbers are drawn and added up as in JavaScript, so that results are the same to the last bit.
 * `leapfrog.ts` and `transitions.ts` call it; what it works on is said by a table of words (`trajectory-table.ts`).
 */
import { type Expression, F64, I32, ModuleBuilder } from '../../../tensor/wasm/assembler.ts';
import { f64, i32 } from '../../../tensor/wasm/instructions.ts';
import { addBeyond, type Call, NORMAL_IMPORTS, normalAt } from '../../../tensor/wasm/normals.ts';
import {
  addLogJoint,
  addNumbers,
  addTravel,
  atTable,
  BATCH,
  count,
  one,
  Row,
  uniformOf,
  word,
  zero,
} from './trajectory-code.ts';
import { EXTRA } from './trajectory-table.ts';

/**
 * `draw(transitions, table, choice, stride, epoch, key 0, key 1)`: the random numbers of transitions, each a choice of its own
 * of the stream with that key.
 */
function addDraw(module: ModuleBuilder): void {
  const beyond = addBeyond(module);
  const numbers = addNumbers(module);
  module.function('draw', new Array(7).fill(I32), [], (b) => {
    const [transitions, table, first, stride, epoch, key0, key1] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const dimension = b.let(I32, word(table, 'dimension')).get;
    const normals = b.let(I32, word(table, 'normals')).get;
    const out = new Row(b, word(table, 'draws'));
    // For each number its place and its layer: see `wasm/normals.ts`.
    const raw = new Row(b, word(table, 'raw'));
    const choice = b.let(I32, first);
    const drawn = b.let(I32, i32.add(dimension, i32.const(EXTRA))).get;
    count(b, transitions, () => {
      const block = b.let(I32, zero);
      b.while(i32.lt(i32.shl(block.get, one), drawn), () => {
        b.do(numbers(raw.at(i32.shl(block.get, i32.const(2))), block.get, choice.get, epoch, key0, key1));
        block.set(i32.add(block.get, i32.const(BATCH / 2)));
      });
      const placeOf = (i: Expression): Expression => raw.load(i32.shl(i, one));
      count(b, dimension, (i) => {
        const place = b.let(F64, placeOf(i));
        const layer = b.let(I32, i32.load([raw.at(i32.shl(i, one))], 8));
        const origin = { key0, key1, choice: choice.get, epoch, number: i };
        out.store(i, normalAt(b, beyond, normals, place, layer, origin).get);
      });
      for (let k = 0; k < EXTRA; k++) {
        const i = i32.add(dimension, i32.const(k));
        out.store(i, uniformOf(placeOf(i)));
      }
      out.advance(drawn);
      choice.set(i32.add(choice.get, stride));
    });
  });
}

/**
 * `transitions(transitions, leaps, step size, jitter, table)`: of Hamiltonian Monte Carlo, with the numbers drawn for them.
 * `jitter` is how far the step size of a trajectory may be from the one asked for.
 */
function addTransitions(module: ModuleBuilder, travel: Call): void {
  const logJoint = addLogJoint(module);
  module.function('transitions', [I32, I32, F64, F64, I32], [], (b) => {
    const [transitions, leaps, stepSize, jitter, table] = Array.from({ length: 5 }, (_, i) => b.parameter(i));
    const { dimension, position, momentum, inverseMass, logDensity, slope, setSlope } = atTable(b, table);
    const home = new Row(b, word(table, 'home'));
    const draws = new Row(b, word(table, 'draws'));
    const visits = new Row(b, word(table, 'visits'));
    const width = b.let(I32, i32.add(dimension, i32.const(EXTRA))).get;
    const gradientOf = (i: Expression): Expression => i32.add(dimension, i);
    const density = i32.shl(dimension, one);
    count(b, transitions, () => {
      const accepted = b.let(I32, zero);
      const before = b.let(F64, home.load(density));
      b.if(f64.eq(f64.sub(before.get, before.get), f64.const(0)), () => {
        count(b, dimension, (i) => {
          momentum.store(i, f64.div(draws.load(i), f64.sqrt(inverseMass.load(i))));
          position.store(i, home.load(i));
          setSlope(i, home.load(gradientOf(i)));
        });
        const start = b.let(F64, logJoint(before.get, table));
        const chance = f64.sub(f64.mul(f64.const(2), draws.load(dimension)), f64.const(1));
        const step = f64.mul(stepSize, f64.add(f64.const(1), f64.mul(jitter, chance)));
        b.do(travel(leaps, step, table));
        const end = b.let(F64, logJoint(logDensity, table));
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
