import { forgetGathered } from '../tensor/lane-gather.ts';
import type { Chain } from './record.ts';

/**
 * Takes apart the record and the graph of a step that is not needed any more. What has lived for a while refers to what came
 * after it, and the collector of young values takes whatever an old one refers to for alive: it would copy most of a step
 * that is over.
 */
export function takeApart(chains: readonly Chain[]): void {
  for (const chain of chains) empty(chain);
  forgetGathered();
}

function empty(chain: Chain): void {
  for (const event of chain.events) if (event.kind === 'pass') event.items.forEach(empty);
  chain.events.length = 0;
}
