/**
 * The weights of equation 11 of the paper, as costs (log q − log p, what is to be made small): for each choice, the cost
 * of everything that may depend on it. That is the rest of its own chain, what follows the data passes it is in,
 * and nothing of its siblings there (appendix B, step 1). One walk from the end backwards finds them all.
 */
import type { Value } from '../tensor/node.ts';
import { add, mul, sub } from '../tensor/ops.ts';
import { overLanes } from './over-lanes.ts';
import type { Chain, ChoiceEvent } from './record.ts';

export interface Weights {
  /** The cost of the whole execution: an estimate of −ELBO. */
  readonly total: Value;
  readonly byChoice: ReadonlyMap<ChoiceEvent, Value>;
}

export function localWeights(root: Chain): Weights {
  const byChoice = new Map<ChoiceEvent, Value>();
  const total = walk(root, 0, byChoice);
  return { total, byChoice };
}

/** The cost from the start of the chain on, given that of everything after it. */
function walk(chain: Chain, after: Value, byChoice: Map<ChoiceEvent, Value>): Value {
  let cost = after;
  for (let i = chain.events.length - 1; i >= 0; i--) {
    const event = chain.events[i];
    if (event.kind === 'factor') cost = sub(cost, event.score);
    else if (event.kind === 'choice') {
      cost = add(cost, sub(event.logGuide, event.logTarget));
      if (!event.pathwise) byChoice.set(event, cost);
    } else {
      let own: Value = 0;
      for (const item of event.items) own = add(own, overLanes(sub(walk(item, cost, byChoice), cost), item));
      cost = add(cost, mul(event.scale, own));
    }
  }
  return cost;
}

/**
 * Weights without the first variance reduction: the cost of the whole execution, whatever depends on what. A choice
 * inside a pass counts its own chain once and everything else as often as it stands for, which keeps it unbiased.
 */
export function globalWeights(root: Chain): Weights {
  const { total } = localWeights(root);
  const byChoice = new Map<ChoiceEvent, Value>();
  spread(root, total, byChoice);
  return { total, byChoice };
}

function spread(chain: Chain, total: Value, byChoice: Map<ChoiceEvent, Value>): void {
  for (const event of chain.events) {
    if (event.kind === 'choice') {
      if (!event.pathwise) byChoice.set(event, total);
    } else if (event.kind === 'pass') {
      for (const item of event.items) {
        const own = walk(item, 0, new Map());
        // (In lanes: of each lane for itself.)
        spread(item, sub(total, mul(event.scale - 1, own)), byChoice);
      }
    }
  }
}
