/** Functions of `tree-module.ts` on points and stretches of a trajectory. */
import { type Expression, F64, I32, type ModuleBuilder } from '../../../tensor/wasm/assembler.ts';
import { f64, i32 } from '../../../tensor/wasm/instructions.ts';
import type { Call } from '../../../tensor/wasm/normals.ts';
import { atTable, count, one, Row, zero } from './trajectory-code.ts';
import { STRETCH } from './tree-layout.ts';

export const double = (x: Expression): Expression => i32.shl(x, one);

/** How to find fields of stretches. */
export function fieldsOf(dimension: Expression) {
  const rows = (n: number): Expression => i32.mul(dimension, i32.const(8 * n));
  const field = (stretch: Expression, name: keyof typeof STRETCH): Expression => {
    const [before, more] = STRETCH[name];
    return i32.add(i32.add(stretch, rows(before)), i32.const(8 * more));
  };
  return { rows, field };
}

/** `save(to, table)`: position, gradient, log-density and momentum. */
export function addSave(module: ModuleBuilder): Call {
  return module.function(null, [I32, I32], [], (b) => {
    const { dimension, position, momentum, logDensity, slope } = atTable(b, b.parameter(1));
    const to = new Row(b, b.parameter(0));
    count(b, dimension, (i) => {
      to.store(i, position.load(i));
      to.store(i32.add(dimension, i), slope(i));
      to.store(i32.add(i32.add(double(dimension), one), i), momentum.load(i));
    });
    to.store(double(dimension), logDensity);
  });
}

/** `restore(from, table)`: what `save` saves, but the log-density, which the next step finds. */
export function addRestore(module: ModuleBuilder): Call {
  return module.function(null, [I32, I32], [], (b) => {
    const { dimension, position, momentum, setSlope } = atTable(b, b.parameter(1));
    const from = new Row(b, b.parameter(0));
    count(b, dimension, (i) => {
      position.store(i, from.load(i));
      setSlope(i, from.load(i32.add(dimension, i)));
      momentum.store(i, from.load(i32.add(i32.add(double(dimension), one), i)));
    });
  });
}

/** `mark(stretch, table)`: the ends of a stretch of one point. */
export function addMark(module: ModuleBuilder): Call {
  return module.function(null, [I32, I32], [], (b) => {
    const { dimension, momentum, inverseMass } = atTable(b, b.parameter(1));
    const { field } = fieldsOf(dimension);
    const row = (name: keyof typeof STRETCH): Row => new Row(b, field(b.parameter(0), name));
    const momenta = [row('firstMomentum'), row('lastMomentum')];
    const velocities = [row('firstVelocity'), row('lastVelocity')];
    count(b, dimension, (i) => {
      for (const ends of momenta) ends.store(i, momentum.load(i));
      for (const ends of velocities) ends.store(i, f64.mul(momentum.load(i), inverseMass.load(i)));
    });
  });
}

/** `logAddExp(a, b)`. */
export function addLogAddExp(module: ModuleBuilder): Call {
  return module.function(null, [F64, F64], [F64], (b) => {
    const [x, y] = [b.parameter(0), b.parameter(1)];
    const impossible = f64.const(-Infinity);
    const sum = (larger: Expression, smaller: Expression): Expression =>
      f64.add(larger, module.callImport('log1p', module.callImport('exp', f64.sub(smaller, larger))));
    b.if(f64.eq(x, impossible), () => b.return(y));
    b.if(f64.eq(y, impossible), () => b.return(x));
    b.if(f64.gt(x, y), () => b.return(sum(x, y)));
    b.do(sum(y, x));
  });
}

/** `apart(start velocity, end velocity, summed momentum, dimension)`: whether both velocities point along the momentum. */
function addApart(module: ModuleBuilder): Call {
  return module.function(null, [I32, I32, I32, I32], [I32], (b) => {
    const [startVelocity, endVelocity, rho] = [0, 1, 2].map((k) => new Row(b, b.parameter(k)));
    const start = b.let(F64, f64.const(0));
    const end = b.let(F64, f64.const(0));
    count(b, b.parameter(3), (i) => {
      start.set(f64.add(start.get, f64.mul(startVelocity.load(i), rho.load(i))));
      end.set(f64.add(end.get, f64.mul(endVelocity.load(i), rho.load(i))));
    });
    b.do(i32.and(f64.gt(start.get, f64.const(0)), f64.gt(end.get, f64.const(0))));
  });
}

/**
 * `goesOn(rho, start velocity, end momentum, end velocity, next stretch, sum, dimension)`: whether a stretch and the one after it
 * still move apart. Leaves their summed momenta in `sum`, behind which there is room for as many numbers.
 */
export function addGoesOn(module: ModuleBuilder): Call {
  const apart = addApart(module);
  return module.function(null, new Array(7).fill(I32), [I32], (b) => {
    const [rho, startVelocity, endMomentum, endVelocity, next, sum, dimension] = Array.from({ length: 7 }, (_, k) =>
      b.parameter(k),
    );
    const { rows, field } = fieldsOf(dimension);
    const scratch = b.let(I32, i32.add(sum, rows(1))).get;
    const nextRho = field(next, 'rho');
    const add = (to: Expression, x: Expression, y: Expression): void => {
      const [out, left, right] = [new Row(b, to), new Row(b, x), new Row(b, y)];
      count(b, dimension, (i) => out.store(i, f64.add(left.load(i), right.load(i))));
    };
    const turns = (start: Expression, end: Expression, momentum: Expression): Expression =>
      i32.eqz(apart(start, end, momentum, dimension));
    add(sum, rho, nextRho);
    b.if(turns(startVelocity, field(next, 'lastVelocity'), sum), () => b.return(zero));
    add(scratch, rho, field(next, 'firstMomentum'));
    b.if(turns(startVelocity, field(next, 'firstVelocity'), scratch), () => b.return(zero));
    add(scratch, endMomentum, nextRho);
    b.do(apart(endVelocity, field(next, 'lastVelocity'), scratch, dimension));
  });
}
