/** Draws the values of choices, one for each lane where there are lanes. */
import { GuideMixture } from '../guides/guide-mixture.ts';
import { drawAlone, drawInLanes, scoreOf } from '../lanes/draws.ts';
import { currentLanes } from '../lanes/lanes.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { drawMixture, isPathwise } from './sites/components.ts';
import type { Reparameterised } from './sites/pathwise.ts';
import type { Site } from './sites/rule.ts';

function drawHere(from: Distribution<unknown>, stream: RandomStream): unknown {
  if (from instanceof GuideMixture) {
    return drawMixture(
      from,
      (part) => drawHere(part, stream),
      () => stream.begin(),
    );
  }
  const lanes = currentLanes();
  return lanes === null ? drawAlone(from, stream) : drawInLanes(from, lanes, stream as never);
}

/** How a choice draws and scores; `stream` is at the choice. */
export const drawsFrom = (stream: RandomStream): Pick<Site, 'draw' | 'begin' | 'score'> => ({
  draw: (from) => drawHere(from, stream),
  begin: () => stream.begin(),
  score: scoreOf,
});

/** What a guide draws for itself: along a path for gradients where there is one, else with its score. */
export function drawForGuide<V>(distribution: Distribution<V>): { value: V; chance: number } {
  const from = distribution as Distribution<unknown>;
  const stream = machine.stream.begin();
  if (isPathwise({ dist: from })) {
    const smooth = from as Reparameterised;
    return { value: smooth.transform(drawHere(smooth.base(), stream)) as V, chance: 0 };
  }
  const value = drawHere(from, stream);
  return { value: value as V, chance: scoreOf(from, value) };
}
