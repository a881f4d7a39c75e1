import { type Node, nextVisit } from '../tensor/node.ts';
import type { Chain } from './record.ts';

/**
 * Takes apart the record and the graph of a step that nobody needs any more. What has lived for a while refers to what came
 * after it, and the collector of young values takes whatever an old one refers to for alive: it would copy most of a step
 * that is over.
 */
export function takeApart(chains: readonly Chain[], roots: readonly Node[]): void {
  for (const chain of chains) empty(chain);
  const visit = nextVisit();
  const stack = [...roots];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.visit === visit) continue;
    node.visit = visit;
    node.gathered = null;
    for (const input of node.inputs) if (input.visit !== visit) stack.push(input);
  }
}

function empty(chain: Chain): void {
  for (const event of chain.events) if (event.kind === 'pass') event.items.forEach(empty);
  chain.events.length = 0;
}
