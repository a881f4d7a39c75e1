/**
 * Transitions of the No-U-Turn sampler around any plan that computes a log-density and its gradient, in WebAssembly, for the
 * reason that `trajectory-module.ts` gives. The trajectory and its random numbers are those of `inference/chains/hamiltonian/nuts.ts`,
 * where it is said what they are for, to the last bit.
 */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Local,
  ModuleBuilder,
} from '../../../tensor/wasm/assembler.ts';
import { copyMemory, f64, i32, select } from '../../../tensor/wasm/instructions.ts';
import { addBeyond, type Call, NORMAL_IMPORTS, normalAt } from '../../../tensor/wasm/normals.ts';
import {
  addLogJoint,
  addNumbers,
  addTravel,
  atTable,
  BATCH,
  count,
  NUMBER_BYTES,
  one,
  Row,
  uniformOf,
  word,
  zero,
} from './trajectory-code.ts';
import { TABLE, TREE_EXTRA } from './trajectory-table.ts';
import { addGoesOn, addLogAddExp, addMark, addRestore, addSave, double, fieldsOf } from './tree-code.ts';

/** An energy error beyond this means that the integrator left the level set. */
const DIVERGENCE = 1000;

const bytes = (numbers: Expression): Expression => i32.shl(numbers, i32.const(3));
const tell = (table: Expression, name: keyof typeof TABLE, value: Expression): Expression =>
  i32.store([table, value], 4 * TABLE[name]);

/** `next(table)`: where the next random number of the stream is. */
function addNext(module: ModuleBuilder): Call {
  const numbers = addNumbers(module);
  return module.function(null, [I32], [I32], (b) => {
    const table = b.parameter(0);
    const number = b.let(I32, word(table, 'number'));
    const first = b.let(I32, i32.and(number.get, i32.const(-BATCH)));
    const raw = b.let(I32, word(table, 'raw')).get;
    b.if(i32.ne(first.get, word(table, 'batch')), () => {
      const origin = (['choice', 'epoch', 'key0', 'key1'] as const).map((name) => word(table, name));
      b.do(numbers(raw, i32.shrUnsigned(first.get, one), ...origin));
      b.do(tell(table, 'batch', first.get));
    });
    b.do(tell(table, 'number', i32.add(number.get, one)));
    b.do(i32.add(raw, i32.mul(i32.sub(number.get, first.get), i32.const(NUMBER_BYTES))));
  });
}

/** `refresh(table)`: draws momenta. */
function addRefresh(module: ModuleBuilder, next: Call): Call {
  const beyond = addBeyond(module);
  return module.function(null, [I32], [], (b) => {
    const table = b.parameter(0);
    const { dimension, momentum, inverseMass } = atTable(b, table);
    const normals = b.let(I32, word(table, 'normals')).get;
    count(b, dimension, (i) => {
      const number = b.let(I32, word(table, 'number')).get;
      const at = b.let(I32, next(table)).get;
      const place = b.let(F64, f64.load([at]));
      const layer = b.let(I32, i32.load([at], 8));
      const [key0, key1, choice, epoch] = (['key0', 'key1', 'choice', 'epoch'] as const).map((name) =>
        word(table, name),
      );
      const normal = normalAt(b, beyond, normals, place, layer, { key0, key1, choice, epoch, number });
      momentum.store(i, f64.div(normal.get, f64.sqrt(inverseMass.load(i))));
    });
  });
}

/** What happened on a trajectory. */
interface Outcome {
  readonly acceptance: Local;
  readonly steps: Local;
  readonly divergent: Local;
}

/** The functions that a trajectory calls. */
function addCalls(module: ModuleBuilder) {
  const imported =
    (name: string) =>
    (x: Expression): Expression =>
      module.callImport(name, x);
  const [travel, logJoint, save, restore] = [
    addTravel(module),
    addLogJoint(module),
    addSave(module),
    addRestore(module),
  ];
  const [mark, logAddExp, goesOn, next] = [addMark(module), addLogAddExp(module), addGoesOn(module), addNext(module)];
  const refresh = addRefresh(module, next);
  const [log, exp] = [imported('log'), imported('exp')];
  return { travel, logJoint, save, restore, mark, logAddExp, goesOn, next, refresh, log, exp };
}

type Calls = ReturnType<typeof addCalls>;

const weight = (of: Expression): Expression => f64.load([of]);
const uniformAt = ({ next }: Calls, table: Expression): Expression => uniformOf(f64.load([next(table)]));

/** A trajectory that starts at the point in the table: where its ends, its stretches and the point chosen from it are kept. */
function startTrajectory(calls: Calls, b: FunctionBuilder, table: Expression) {
  const { dimension, momentum, logDensity } = atTable(b, table);
  const { rows, field } = fieldsOf(dimension);
  const placed = (before: Expression, by: Expression): Expression => b.let(I32, i32.add(before, by)).get;
  const phase = i32.add(rows(3), i32.const(8));
  const stretch = field(zero, 'end');
  const forward = b.let(I32, word(table, 'tree')).get;
  const backward = placed(forward, phase);
  const chosen = placed(backward, phase);
  const sum = placed(chosen, phase);
  const whole = placed(sum, rows(2));
  const parts = placed(whole, stretch);

  for (const place of [forward, backward, chosen]) b.do(calls.save(place, table));
  b.do(f64.store([whole, f64.const(0)]));
  const rho = new Row(b, field(whole, 'rho'));
  count(b, dimension, (i) => rho.store(i, momentum.load(i)));
  b.do(calls.mark(whole, table));
  const depth = b.let(I32, zero);
  const going = b.let(I32, one);
  const copy = (to: Expression, from: Expression, size: Expression): void => b.do(copyMemory(to, from, size));
  const copyProposal = (to: Expression, from: Expression): void => copy(to, from, i32.add(rows(2), i32.const(8)));
  return {
    ...{ calls, b, table, dimension, logDensity, rows, field, stretch, forward, backward, chosen, sum, whole, parts },
    ...{ depth, going, copy, copyProposal },
  };
}

type Trajectory = ReturnType<typeof startTrajectory>;

/** Joins a stretch to the one before it. */
function join(trajectory: Trajectory, first: Expression, second: Expression): void {
  const { calls, b, table, dimension, rows, field, sum, going, copy, copyProposal } = trajectory;
  const logWeight = b.let(F64, calls.logAddExp(weight(first), weight(second)));
  b.do(f64.store([first, logWeight.get]));
  b.if(f64.lt(calls.log(uniformAt(calls, table)), f64.sub(weight(second), logWeight.get)), () =>
    copyProposal(field(first, 'proposal'), field(second, 'proposal')),
  );
  const [velocity, ...last] = (['firstVelocity', 'lastMomentum', 'lastVelocity'] as const).map((name) =>
    field(first, name),
  );
  going.set(calls.goesOn(field(first, 'rho'), velocity, ...last, second, sum, dimension));
  copy(field(first, 'rho'), sum, rows(1));
  copy(field(first, 'lastMomentum'), field(second, 'lastMomentum'), rows(2));
}

/** Goes on from the point in the table by as many steps as there were before, and leaves them as one stretch in `parts`. */
function extend(trajectory: Trajectory, step: Expression, initial: Expression, outcome: Outcome): void {
  const { calls, b, table, logDensity, field, stretch, parts, depth, going } = trajectory;
  const { acceptance, steps, divergent } = outcome;
  const leaves = b.let(I32, zero);
  const pending = b.let(I32, zero);
  const partAt = (i: Expression): Expression => i32.add(parts, i32.mul(i, stretch));
  const leaf = (joint: Expression): void => {
    const part = b.let(I32, partAt(pending.get)).get;
    pending.set(i32.add(pending.get, one));
    b.do(f64.store([part, joint]));
    // Behind the proposal comes `rho`, which starts as the momentum.
    b.do(calls.save(field(part, 'proposal'), table));
    b.do(calls.mark(part, table));
    leaves.set(i32.add(leaves.get, one));
    // A binary counter: two stretches of equal length become one, and so on.
    const rest = b.let(I32, leaves.get);
    b.while(i32.and(going.get, i32.eqz(i32.and(rest.get, one))), () => {
      pending.set(i32.sub(pending.get, one));
      const second = b.let(I32, partAt(pending.get)).get;
      join(trajectory, b.let(I32, i32.sub(second, stretch)).get, second);
      rest.set(i32.shrUnsigned(rest.get, one));
    });
  };
  b.while(i32.and(going.get, i32.lt(leaves.get, i32.shl(one, depth.get))), () => {
    b.do(calls.travel(one, step, table));
    steps.set(i32.add(steps.get, one));
    const joint = b.let(F64, f64.sub(calls.logJoint(logDensity, table), initial)).get;
    const gained = b.let(F64, f64.const(1));
    b.if(i32.eqz(f64.gt(joint, f64.const(0))), () => gained.set(calls.exp(joint)));
    acceptance.set(f64.add(acceptance.get, gained.get));
    b.if(
      f64.lt(joint, f64.const(-DIVERGENCE)),
      () => {
        divergent.set(one);
        going.set(zero);
      },
      () => leaf(joint),
    );
  });
}

/** Takes the stretch in `parts` into the whole trajectory, whose end `end` is now in the table. */
function include(trajectory: Trajectory, end: Expression, isBackward: Expression): void {
  const { calls, b, table, dimension, rows, field, chosen, sum, whole, parts, depth, going, copy } = trajectory;
  b.do(calls.save(end, table));
  b.if(f64.lt(calls.log(uniformAt(calls, table)), f64.sub(weight(parts), weight(whole))), () =>
    trajectory.copyProposal(chosen, field(parts, 'proposal')),
  );
  depth.set(i32.add(depth.get, one));
  b.do(f64.store([whole, calls.logAddExp(weight(whole), weight(parts))]));
  const last = b.let(I32, select(field(whole, 'firstMomentum'), field(whole, 'lastMomentum'), isBackward)).get;
  const start = select(field(whole, 'lastVelocity'), field(whole, 'firstVelocity'), isBackward);
  going.set(calls.goesOn(field(whole, 'rho'), start, last, i32.add(last, rows(1)), parts, sum, dimension));
  copy(field(whole, 'rho'), sum, rows(1));
  copy(last, field(parts, 'lastMomentum'), rows(2));
}

/** Follows a trajectory from the point in the table; gives where the point chosen from it is. */
function follow(
  calls: Calls,
  b: FunctionBuilder,
  [table, stepSize, deepest, initial]: readonly Expression[],
  outcome: Outcome,
): Expression {
  const trajectory = startTrajectory(calls, b, table);
  const { forward, backward, chosen, depth, going } = trajectory;
  b.while(going.get, () => {
    const isBackward = b.let(I32, f64.lt(uniformAt(calls, table), f64.const(0.5))).get;
    const end = b.let(I32, select(backward, forward, isBackward)).get;
    const step = b.let(F64, select(f64.neg(stepSize), stepSize, isBackward)).get;
    b.do(calls.restore(end, table));
    extend(trajectory, step, initial, outcome);
    b.if(going.get, () => {
      include(trajectory, end, isBackward);
      b.if(i32.eq(depth.get, deepest), () => going.set(zero));
    });
  });
  return chosen;
}

/** `trees(transitions, step size, deepest, stride, table)`: each is a choice of the stream, `stride` after the one before. */
function addTrees(module: ModuleBuilder): void {
  const calls = addCalls(module);
  module.function('trees', [I32, F64, I32, I32, I32], [], (b) => {
    const [transitions, stepSize, deepest, stride, table] = Array.from({ length: 5 }, (_, i) => b.parameter(i));
    const { dimension, position, setSlope, setDensity } = atTable(b, table);
    const home = new Row(b, word(table, 'home'));
    const visits = new Row(b, word(table, 'visits'));
    const width = b.let(I32, i32.add(dimension, i32.const(TREE_EXTRA))).get;
    count(b, transitions, () => {
      const before = b.let(F64, home.load(double(dimension)));
      const moved = b.let(I32, zero);
      const outcome = { acceptance: b.let(F64, f64.const(0)), steps: b.let(I32, zero), divergent: b.let(I32, zero) };
      b.if(f64.eq(f64.sub(before.get, before.get), f64.const(0)), () => {
        count(b, dimension, (i) => {
          position.store(i, home.load(i));
          setSlope(i, home.load(i32.add(dimension, i)));
        });
        setDensity(before.get);
        b.do(calls.refresh(table));
        const initial = b.let(F64, calls.logJoint(before.get, table)).get;
        const chosen = new Row(b, follow(calls, b, [table, stepSize, deepest, initial], outcome));
        count(b, dimension, (i) => b.if(i32.eqz(f64.eq(chosen.load(i), home.load(i))), () => moved.set(one)));
        b.do(copyMemory(home.at(zero), chosen.at(zero), bytes(i32.add(double(dimension), one))));
      });
      count(b, dimension, (i) => visits.store(i, home.load(i)));
      const extra = [
        home.load(double(dimension)),
        f64.convertI32(moved.get),
        outcome.acceptance.get,
        f64.convertI32(outcome.steps.get),
        f64.convertI32(outcome.divergent.get),
        f64.convertI32(word(table, 'number')),
      ];
      for (const [k, value] of extra.entries()) visits.store(i32.add(dimension, i32.const(k)), value);
      visits.advance(width);
      b.do(tell(table, 'choice', i32.add(word(table, 'choice'), stride)));
      b.do(tell(table, 'number', zero));
      b.do(tell(table, 'batch', i32.const(-1)));
    });
  });
}

/** The module. `?bytes` gives it as the build has made it. */
export default function treeModule(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder([
    { name: 'compute', signature: { parameters: [I32], results: [] } },
    ...NORMAL_IMPORTS,
    { name: 'log1p', signature: { parameters: [F64], results: [F64] } },
  ]);
  addTrees(module);
  return module.build(false);
}
