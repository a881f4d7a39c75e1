/**
 * How much the lanes of a unit count whose choices are varied (`variation-plan.ts`). A lane counts as much as the values that it has are
 * probable: the sum over all lanes is then the mean over these choices. A value for a choice that the lane never makes
 * counts as one of as many that are the same.
 */
import { constant } from '../tensor/leaves.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add, exp, mul, sub } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { overItems } from './over-lanes.ts';
import type { ChoiceEvent, Strand } from './record.ts';

export interface LaneWeights {
  /** Of a lane among those that have values for the same choices. */
  readonly value: Value;
  /** The same for lanes that are executions, and 0 for those in which a choice has its other value. */
  readonly execution: Value;
}

const known = new WeakMap<Strand, LaneWeights>();

/** Of the lanes of a strand; undefined if each counts once. */
export function laneWeights(strand: Strand): LaneWeights | undefined {
  const { varied, lanes } = strand;
  if (varied === undefined) return undefined;
  let weights = known.get(strand);
  if (weights === undefined) {
    const each = (of: (variant: number) => number): Node =>
      constant(Float64Array.from(varied.of, of), SCALAR, lanes!.space);
    const value = valueWeights(strand, ({ logWeight }) => logWeight ?? 0);
    const turns = varied.variants.some(({ turned }) => turned !== undefined);
    const execution = turns
      ? mul(
          value,
          each((v) => (varied.variants[v].turned === undefined ? 1 : 0)),
        )
      : value;
    weights = { value, execution };
    known.set(strand, weights);
  }
  return weights;
}

/** How probable the values are that lanes have: as weights, or, with gradients, as the guide has them. */
export function valueWeights(strand: Strand, logWeightOf: (choice: ChoiceEvent) => Value): Value {
  const { varied, lanes } = strand;
  if (varied === undefined) return 1;
  const shares = varied.variants.map(({ places }) => {
    let share = 0;
    for (const { count } of places.values()) share += Math.log(count);
    return share;
  });
  if (!shares.some((share) => share > 0)) return 1;
  const own = constant(
    Float64Array.from(varied.of, (v) => shares[v]),
    SCALAR,
    lanes!.space,
  );
  return exp(sub(logWeights(strand, logWeightOf), own));
}

/** The sum over the choices of a unit whose values are lanes; data have their own. */
function logWeights(strand: Strand, of: (choice: ChoiceEvent) => Value): Value {
  let total: Value = 0;
  for (const event of strand.events) {
    if (event.kind === 'choice') total = add(total, of(event));
    else if (event.kind === 'pass' && event.items.some((item) => isWithin(item, event.ordered) && varies(item))) {
      const each = event.items.map((item) => logWeights(item, of));
      total = add(total, overItems(each, event.items));
    }
  }
  return total;
}

/** Whether an item of a pass is part of the unit around it. */
const isWithin = ({ lanes, datum }: Strand, ordered: true | undefined): boolean =>
  ordered === true || lanes?.kind === 'side' || (lanes === undefined && datum === undefined);

function varies(strand: Strand): boolean {
  return strand.events.some((event) =>
    event.kind === 'choice'
      ? event.logWeight !== undefined
      : event.kind === 'pass' && event.items.some((item) => isWithin(item, event.ordered) && varies(item)),
  );
}
