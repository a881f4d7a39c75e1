/** Free parameters of automatic guides: each choice has its own, or a network computes them from the datum. */
import type { Interval } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { DatumInView } from './datum-in-view.ts';
import { hiddenOf, hiddenUnits } from './datum-network.ts';
import { param } from './param.ts';

/** Free parameters of one choice. */
export class Free {
  constructor(protected readonly prefix: string) {}

  number(name: string, domain: Interval = { lower: -Infinity, upper: Infinity }): Value {
    return squash(param({ name: this.prefix + name, mu: 0, sigma: 0 }), domain);
  }

  tensor(name: string, dims: readonly number[], domain: Interval = { lower: -Infinity, upper: Infinity }): Value {
    // A choice whose number of values changes has parameters for each number: the name does not depend on which
    // is met first.
    const values = param({
      name: `${this.prefix}${name}$${dims.join('x')}`,
      dims,
      init: (d) => new Tensor([...d], new Float64Array(sizeOf(d))),
    });
    return squash(values, domain);
  }

  /** n probabilities from n − 1 free numbers: a zero appended, then softmax (the paper's `simplex`). */
  simplex(name: string, n: number): Value {
    if (n === 1) return new Tensor([1, 1], Float64Array.of(1));
    const free = ops.reshape(this.tensor(name, [n - 1, 1]) as Tensor, [n - 1]);
    return ops.reshape(ops.softmax(ops.pad(free, [0], [1])), [n, 1]) as Value;
  }
}

/** The same, computed from the datum by a network. */
class FreeByDatum extends Free {
  constructor(
    prefix: string,
    private readonly view: DatumInView,
  ) {
    super(prefix);
  }

  override number(name: string, domain: Interval = { lower: -Infinity, upper: Infinity }): Value {
    return squash(ops.sum(this.output(name, 1) as Tensor) as Value, domain);
  }

  override tensor(
    name: string,
    dims: readonly number[],
    domain: Interval = { lower: -Infinity, upper: Infinity },
  ): Value {
    const output = this.output(`${name}$${dims.join('x')}`, sizeOf(dims));
    return squash(ops.reshape(output as Tensor, dims) as Value, domain);
  }

  /** So many numbers that the last layer makes of the datum. */
  private output(name: string, count: number): Value {
    const zeros = (dims: readonly number[]): Tensor => new Tensor([...dims], new Float64Array(sizeOf(dims)));
    const weights = param({ name: `${this.prefix}${name}$weights`, dims: [count, hiddenUnits], init: zeros });
    const shift = param({ name: `${this.prefix}${name}`, dims: [count, 1], init: zeros });
    return ops.add(ops.matmul(weights as Value, hiddenOf(this.view)), shift as Value) as Value;
  }
}

export const POSITIVE: Interval = { lower: 0, upper: Infinity };

/** Section 3.2: softplus for half-lines, sigmoid for intervals. */
function squash(free: Value, { lower, upper }: Interval): Value {
  if (lower === -Infinity && upper === Infinity) return free;
  if (upper === Infinity) return ops.add(ops.softplus(free), lower);
  if (lower === -Infinity) return ops.sub(upper, ops.softplus(free));
  return ops.add(lower, ops.mul(upper - lower, ops.sigmoid(free)));
}

/** Free parameters of the choice at a place. Those of a network have the same names for all data. */
export function freeAt(place: string, family: string): Free {
  const view = machine.datum as DatumInView | null;
  if (view === null || !place.startsWith(`${view.place}[`)) return new Free(`${place}$mf$${family}$`);
  const inside = place.slice(view.place.length).replace(/^\[[^\]]*\]/, '');
  if (inside.includes('[*]')) {
    throw new OneByOne('parameters', 'a guide that is a network has an output for each iteration inside mapData');
  }
  return new FreeByDatum(`${view.place}[]${inside}$network$${family}$`, view);
}
