import { forgetGathered } from '../tensor/lane-gather.ts';
import type { Strand } from './record.ts';

/**
 * Takes apart the record and the graph of a step that is not needed any more. What has lived for a while refers to what came
 * after it, and the collector of young values takes whatever an old one refers to for alive: it would copy most of a step
 * that is over.
 */
export function takeApart(strands: readonly Strand[]): void {
  for (const strand of strands) empty(strand);
  forgetGathered();
}

function empty(strand: Strand): void {
  for (const event of strand.events) if (event.kind === 'pass') event.items.forEach(empty);
  strand.events.length = 0;
}
