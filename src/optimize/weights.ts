/**
 * The weights of equation 11 of the paper, as costs (log q − log p, what is to be made small): for each choice, the cost
 * of everything that may depend on it. That is the rest of its own strand, what follows the data passes it is in,
 * and nothing of its siblings there (appendix B, step 1). One walk from the end backwards finds them all.
 */
import { expandTo } from '../tensor/elementwise/record.ts';
import { fromLanes } from '../tensor/lane-gather.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add, concat, cumsum, gather, mul, sub, weigh } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { laneWeights } from './lane-weights.ts';
import { overItems } from './over-lanes.ts';
import type { ChoiceEvent, Strand } from './record.ts';
import { boundAt } from './sampled/bound.ts';

export interface Weights {
  /** The cost of the whole execution: an estimate of −ELBO. */
  readonly total: Value;
  readonly byChoice: ReadonlyMap<ChoiceEvent, Value>;
  /** For items of passes: their own cost, and that of all that comes after the pass. */
  readonly joins: ReadonlyMap<Strand, Join>;
}

interface Join {
  readonly cost: Value;
  readonly after: Value;
}

interface Found {
  readonly byChoice: Map<ChoiceEvent, Value>;
  readonly joins: Map<Strand, Join>;
}

const nothingFound = (): Found => ({ byChoice: new Map(), joins: new Map() });

export function localWeights(root: Strand): Weights {
  const found = nothingFound();
  const total = walk(root, 0, found);
  return { total, ...found };
}

/** What a strand costs by itself: for each of its lanes. */
export const costOf = (strand: Strand): Value => walk(strand, 0, nothingFound());

/** The cost from the start of the strand on, given that of everything after it. */
function walk(strand: Strand, after: Value, found: Found): Value {
  let cost = after;
  for (let i = strand.events.length - 1; i >= 0; i--) {
    const event = strand.events[i];
    if (event.kind === 'factor') cost = sub(cost, event.score);
    else if (event.kind === 'choice') {
      cost = add(cost, event.rule.cost(event));
      if (event.rule.weighed) found.byChoice.set(event, cost);
    } else if (event.sampled !== undefined) {
      // Choices inside samples do not change what follows.
      cost = add(cost, boundAt(event, (item) => walk(item, 0, nothingFound())).cost);
    } else if (event.entangled) cost = add(cost, walkEntangled(event.items, cost, found));
    else {
      const weighed = event.items.map(isWeighed);
      const later = event.ordered && weighed.includes(true) ? laterCosts(event.items) : undefined;
      // What an item asked `mem` for also depends on the item's choices.
      const after =
        event.asked === undefined ? cost : add(cost, overItems(event.asked.items.map(costOf), event.asked.items));
      const own = event.items.map((item, k) => {
        const from = later === undefined ? after : add(after, later[k]);
        // The cost of what comes after is needed only for choices that are weighed by it.
        const own = weighed[k] ? sub(walk(item, from, found), from) : walk(item, 0, found);
        found.joins.set(item, { cost: own, after: from });
        return own;
      });
      cost = add(
        cost,
        mul(
          event.scale,
          overItems(
            own.map((value, k) => counted(value, event.items[k])),
            event.items,
          ),
        ),
      );
    }
  }
  return cost;
}

/** The cost of items each of which may depend on all others, given that of everything after them. */
function walkEntangled(items: readonly Strand[], after: Value, found: Found): Value {
  const own = items.map(costOf);
  const all = overItems(own, items);
  items.forEach((item, k) => {
    const from = sub(add(after, all), own[k]);
    if (isWeighed(item)) walk(item, from, found);
    found.joins.set(item, { cost: own[k], after: from });
  });
  return all;
}

/** A quantity of the lanes of a strand, as much as each counts. */
export function counted(value: Value, strand: Strand): Value {
  const weights = laneWeights(strand);
  return weights === undefined ? value : weigh(weights.execution, value);
}

/** True if a choice in it needs a weight. */
export function isWeighed(strand: Strand): boolean {
  return strand.events.some(
    (event) =>
      (event.kind === 'choice' && event.rule.weighed) ||
      (event.kind === 'pass' && event.sampled === undefined && event.items.some(isWeighed)),
  );
}

/** The cost of all iterations that come after, for each iteration of an ordered pass: by running sums. */
function laterCosts(items: readonly Strand[]): Value[] {
  const costs = items.map((item) => walk(item, 0, nothingFound()));
  const spaces = items.map(({ lanes }) => lanes!);
  const table = concat(items.map((_, k) => fromLanes(expandTo(toNode(costs[k]), SCALAR, spaces[k].space)))) as Node;
  const n = table.shape[0];
  const rowOf = new Int32Array(n);
  const outerOf = new Int32Array(n);
  let row = 0;
  items.forEach(({ places, lanes }) => {
    places!.forEach((place, lane) => {
      rowOf[place] = row++;
      outerOf[place] = lanes!.around?.[lane] ?? 0;
    });
  });
  // Iterations of one lane around the pass follow each other.
  const lastOf = new Int32Array(n);
  for (let place = n - 1; place >= 0; place--) {
    lastOf[place] = place + 1 < n && outerOf[place + 1] === outerOf[place] ? lastOf[place + 1] : place;
  }
  const sums = cumsum(gather(table, constant(rowOf, [n])) as Node) as Node;
  return items.map(({ places, lanes }) => {
    const upTo = (at: Int32Array): Value => gather(sums, constant(at, SCALAR, lanes!.space)) as Value;
    return sub(upTo(places!.map((place) => lastOf[place])), upTo(places!));
  });
}

/**
 * Weights without the first variance reduction: the cost of the whole execution, whatever depends on what. A choice
 * inside a pass counts its own strand once and everything else as often as it stands for, which keeps it unbiased.
 */
export function globalWeights(root: Strand): Weights {
  const { total, joins } = localWeights(root);
  const byChoice = new Map<ChoiceEvent, Value>();
  spread(root, total, byChoice);
  return { total, byChoice, joins };
}

function spread(strand: Strand, total: Value, byChoice: Map<ChoiceEvent, Value>): void {
  for (const event of strand.events) {
    if (event.kind === 'choice') {
      if (event.rule.weighed) byChoice.set(event, total);
    } else if (event.kind === 'pass' && event.sampled === undefined) {
      for (const item of event.items) {
        // (In lanes: of each lane for itself.)
        const own = event.scale === 1 && item.varied === undefined ? 0 : walk(item, 0, nothingFound());
        if (item.varied === undefined) spread(item, sub(total, mul(event.scale - 1, own)), byChoice);
        else {
          const all = mul(event.scale, overItems([counted(own, item)], [item]));
          spread(item, add(sub(total, all), own), byChoice);
        }
      }
    }
  }
}
