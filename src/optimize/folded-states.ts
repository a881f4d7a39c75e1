/**
 * Sequences whose states have few values. All states that there may be before an item are lanes, and so are the values of its choices;
 * lanes that come to the same state are one from there on, as probable as they are together. That is the forward algorithm of hidden Markov models, of the
 * guide: an item costs as many executions of its step as there are states, times the values of its choices, however long the sequence is.
 *
 * What an item costs on average over the states is a factor, with all of its gradient: nothing is drawn, but for the last state where there
 * are several, in case the program looks at it.
 */

import { somePart } from '../algebra/parts.ts';
import { Discrete } from '../distributions/discrete.ts';
import { Uniform } from '../distributions/uniform.ts';
import { drawAlone, drawInLanes } from '../lanes/draws.ts';
import { currentLanes, type Lanes } from '../lanes/lanes.ts';
import { keepPlace } from '../lanes/list-places.ts';
import { repeated } from '../lanes/repeated.ts';
import type { Outcome } from '../lanes/results.ts';
import type { LaneStreams } from '../lanes/streams.ts';
import type { Iteration } from '../lanes/together.ts';
import { laneAt, pick } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { carriesGradient } from '../lanes/wanted-leaves.ts';
import type { SummedStates } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import { valueKey } from '../runtime/values.ts';
import { expandTo } from '../tensor/elementwise/record.ts';
import { asLanes, fromLanes } from '../tensor/lane-gather.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import {
  add,
  concat,
  cumsum,
  gather,
  le,
  log,
  matmul,
  min,
  mul,
  neg,
  reshape,
  select,
  sum,
  weigh,
} from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { valueWeights } from './lane-weights.ts';
import { overItems } from './over-lanes.ts';
import type { ChoiceEvent, PassEvent, RecordedEvent, Strand } from './record.ts';
import type { SiteRule } from './sites/rule.ts';
import { scoreFunction } from './sites/score-function.ts';
import { NOTHING_SUMMED, type VariationPlan } from './variation-plan.ts';
import { costOf } from './weights.ts';

/** What states need of the execution that they are part of. */
export interface StatesRun {
  readonly plan: VariationPlan;
  /** Runs the step for all states; starts again without them if that does not work. */
  run(event: PassEvent, iterations: Iteration, step: (state: unknown) => unknown): Outcome;
  /** Adds to the strand at hand. */
  push(event: RecordedEvent): void;
}

/** The most lanes that one item may have, for each sequence: of few, and of many. */
const MOST_LANES = 1024;
const MOST_OF_MANY = 256;
const mostLanes = ({ isOfMany }: VariationPlan): number => (isOfMany ? MOST_OF_MANY : MOST_LANES);

const TOO_MANY = new Reason('choices', 'states of foldData have too many values to be summed');
const NOT_KNOWN = new Reason('value', 'states of foldData differ between sequences, or depend on parameters');
const DRAWN = new Reason('choices', 'foldData has choices whose values cannot be tried side by side');

export class FoldedStates implements SummedStates {
  constructor(
    private readonly execution: StatesRun,
    private readonly states: readonly unknown[],
    /** How probable each of them is: a vector, for each lane around. Null where there is but one. */
    private readonly reach: Node | null,
  ) {}

  onward(step: (state: unknown) => unknown): FoldedStates {
    const { execution, states } = this;
    const { plan } = execution;
    const event: PassEvent = { kind: 'pass', address: machine.address, scale: 1, items: [] };
    const outer = currentLanes();
    if (states.length * plan.count > mostLanes(plan)) plan.turnOff(TOO_MANY);
    const outcome = execution.run(event, this.iterations(outer), step);
    if (plan.count === 1 && states.length === 1) plan.turnOff(NOTHING_SUMMED);
    if (event.items.some(isDrawn)) plan.turnOff(DRAWN);
    const weights = event.items.map((item) => this.weightsOf(item));
    const costs = event.items.map((item, k) => weigh(weights[k], costOf(item)));
    const score = neg(overItems(costs, event.items)) as unknown as number;
    execution.push({
      kind: 'factor',
      address: event.address,
      score,
      summed: { plan, states: states.length, items: event.items },
    });
    return this.merged(outcome, rowsOf(weights, event.items, outer));
  }

  /** Each state, and for each of them the values of choices, in every lane around; all with the random numbers of the item. */
  private iterations(outer: Lanes | null): Iteration {
    const { states } = this;
    const { plan } = this.execution;
    const { stream } = machine;
    const size = outer?.size ?? 1;
    const count = size * states.length;
    const once: Iteration = {
      data: Array.from({ length: count }, (_, k) => states[k % states.length]),
      indices: Int32Array.from({ length: count }, (_, k) => k % states.length),
      outerLanes: Int32Array.from({ length: count }, (_, k) => Math.floor(k / states.length)),
    };
    const each = states.length * plan.count;
    const streamOf = (place: number) =>
      outer === null ? stream.again() : (stream as unknown as LaneStreams).lane(Math.floor(place / each)).again();
    return { ...repeated(once, plan.count), alone: true, states: true, executions: streamOf };
  }

  /** How probable the lanes of a group are, by the guide, with gradients. */
  private weightsOf(strand: Strand): Value {
    // (Of a guide that is a mixture it is the components that are tried.)
    const values = valueWeights(strand, ({ logGuide, logPick, tried }) =>
      tried === undefined ? 0 : add(logPick ?? logGuide, Math.log(tried)),
    );
    if (this.reach === null) return values;
    const { length } = this.states;
    const { count } = this.execution.plan;
    const own = strand.places!.map((place) => Math.floor(place / count) % length);
    return mul(values, gather(this.reach, constant(own, SCALAR, strand.lanes!.space)) as Value);
  }

  /** States that are equal are one; `rows` has the weights of all lanes, those of one lane around in a row. */
  private merged(outcome: Outcome, rows: Node): FoldedStates {
    const { execution } = this;
    const { plan } = execution;
    const each = this.states.length * plan.count;
    const next: unknown[] = [];
    const placeOf = new Map<unknown, number>();
    const places = new Int32Array(each).fill(-1);
    outcome
      .each((value, lane, lanes) => (isKnown(value) ? laneAt(value, lane, lanes) : plan.turnOff(NOT_KNOWN)))
      .forEach((state, k) => {
        const key = valueKey(state);
        let place = placeOf.get(key);
        if (place === undefined) {
          place = next.push(state) - 1;
          placeOf.set(key, place);
        }
        // A value that depends on the datum would be another one in a later minibatch.
        if (k >= each && places[k % each] !== place) plan.turnOff(NOT_KNOWN);
        places[k % each] = place;
      });
    if (next.length * plan.count > mostLanes(plan)) plan.turnOff(TOO_MANY);
    if (next.length === 1) return new FoldedStates(execution, next, null);
    const together = new Float64Array(next.length * each);
    places.forEach((place, k) => {
      together[place * each + k] = 1;
    });
    const column = reshape(rows, [each, 1]) as Node;
    const reach = reshape(matmul(constant(together, [next.length, each]), column), [next.length]) as Node;
    return new FoldedStates(execution, next, reach);
  }

  drawn(): unknown {
    const { states, reach } = this;
    if (reach === null) return states[0];
    const { address } = machine;
    const lanes = currentLanes();
    const stream = machine.stream.begin();
    const uniform = Uniform({ a: 0, b: 1 });
    const noise = lanes === null ? drawAlone(uniform, stream) : drawInLanes(uniform, lanes, stream as never);
    // As many as there are whose running sum it has passed; by rounding, the last may fall short.
    const passed = sum(select(le(cumsum(reach), noise as Value), 1, 0) as Node);
    const place = keepPlace(min(passed, states.length - 1) as Node, states.length);
    const even = Discrete({ ps: states.map(() => 1 / states.length) });
    const choice: ChoiceEvent = {
      kind: 'choice',
      address: address.at('last'),
      target: even,
      guide: even,
      automatic: false,
      rule: lastState,
      value: place,
      logTarget: 0,
      logGuide: log(gather(reach, place) as Value),
    };
    this.execution.push(choice);
    return pick(states, place);
  }
}

/** The last state: what it costs is known, and what comes after may depend on it. */
const lastState: SiteRule = {
  ...scoreFunction,
  name: 'the last state of foldData, drawn for what comes after',
  cost: () => 0,
  loss: ({ logGuide }, weight) => mul(logGuide, weight),
};

/** Whether a choice in it is weighed by what comes after, which an average over states cannot express. */
function isDrawn({ events, varied }: Strand): boolean {
  const inItem = (item: Strand): boolean => item.varied !== undefined || isDrawn(item);
  return events.some((event) => {
    if (event.kind === 'choice') {
      const { rule, logWeight, logChance } = event;
      return rule.weighed && (logWeight === undefined || logChance !== undefined || varied === undefined);
    }
    return (
      event.kind === 'pass' && (event.sampled !== undefined || event.asked !== undefined || event.items.some(inItem))
    );
  });
}

/** Whether a state does not depend on parameters. */
function isKnown(value: unknown): boolean {
  if (value instanceof Node) return !carriesGradient(value);
  const varied = variedOf(value);
  if (varied !== undefined) return (varied.by === undefined || isKnown(varied.by)) && varied.table.every(isKnown);
  return typeof value !== 'object' || value === null || !somePart(value, (part) => !isKnown(part));
}

/** The weights of all lanes, in the order of iterations: those of each lane around as a vector. */
function rowsOf(weights: readonly Value[], items: readonly Strand[], outer: Lanes | null): Node {
  const tables = items.map((item, k) => fromLanes(expandTo(toNode(weights[k]), SCALAR, item.lanes!.space)));
  let table = tables[0];
  if (items.length > 1) {
    const row = new Int32Array(items.reduce((size, { places }) => size + places!.length, 0));
    items
      .flatMap(({ places }) => Array.from(places!))
      .forEach((place, k) => {
        row[place] = k;
      });
    table = gather(concat(tables) as Node, constant(row, [row.length])) as Node;
  }
  if (outer === null) return table;
  return asLanes(reshape(table, [outer.size, table.shape[0] / outer.size]) as Node, outer.space);
}
