/** The quantities whose gradients are estimates for objectives with several samples, and for which parameters each is right. */
import type { Lanes } from '../../lanes/lanes.ts';
import type { Node, Value } from '../../tensor/node.ts';
import { add, mul, square, stopGradient, sub } from '../../tensor/ops.ts';
import { overAll } from '../over-lanes.ts';
import type { ChoiceEvent, Strand } from '../record.ts';
import { inLanes, type SampledPart } from '../surrogate.ts';
import { guideLeaves } from './guide-leaves.ts';
import type { Sampling } from './objective.ts';

/** A quantity whose gradient is to be taken with respect to some of the leaves. */
export interface Loss {
  readonly loss: Value;
  isFor(leaf: Node): boolean;
}

/** What a term adds to a loss, given the sample's share of the weight and what it did for the bound. */
interface Terms {
  factor(score: Value, share: Value): Value;
  choice(choice: ChoiceEvent, share: Value, gain: Value): Value;
}

/** The bound's own gradient. */
const BOUND: Terms = {
  factor: (score, share) => mul(share, score),
  choice: ({ logTarget, logGuide, logChance, rule }, share, gain) => {
    const own = mul(share, sub(logTarget, logGuide));
    return rule.weighed ? add(own, mul(gain, add(logGuide, logChance ?? 0))) : own;
  },
};

/** That of guides alone, through the values only: the same mean, and its signal does not fade where there are many samples. */
const DOUBLY: Terms = {
  factor: (score, share) => mul(square(share), score),
  choice: ({ logTarget, logFixedGuide }, share) => mul(square(share), sub(logTarget, logFixedGuide!)),
};

const WAKE_MODEL: Terms = {
  factor: (score, share) => mul(share, score),
  choice: ({ logTarget }, share) => mul(share, logTarget),
};

const wakeGuides = (weight: number): Terms => ({
  factor: () => 0,
  choice: ({ logGuide, logChance }, share) => {
    // The guide's own choices are to make the values likely, too.
    const learned = logChance === undefined ? logGuide : add(logGuide, mul(stopGradient(logGuide), logChance));
    return mul(mul(weight, share), learned);
  },
});

/** Those of executions with samples in them; `rest` is the loss of what is not sampled. */
export function sampledLosses(
  { kind, guides }: Pick<Sampling, 'kind' | 'guides'>,
  parts: readonly SampledPart[],
  rest: Value,
  executions: readonly Strand[],
  leaves: readonly Node[],
): Loss[] {
  const everywhere = (): boolean => true;
  if (kind === 'wake') {
    const model = { loss: sub(rest, total(parts, WAKE_MODEL)), isFor: everywhere };
    if (guides === 0) return [model];
    const own = guideLeaves(executions, leaves).ofGuides;
    return [model, { loss: mul(-1, total(parts, wakeGuides(guides))), isFor: (leaf) => own.has(leaf) }];
  }
  const plain = sub(rest, total(parts, BOUND));
  if (!parts.every(({ event }) => event.items.every(isPathwise))) return [{ loss: plain, isFor: everywhere }];
  const { onlyOfGuides } = guideLeaves(executions, leaves);
  return [
    { loss: plain, isFor: (leaf) => !onlyOfGuides.has(leaf) },
    { loss: mul(-1, total(parts, DOUBLY)), isFor: (leaf) => onlyOfGuides.has(leaf) },
  ];
}

/** Whether all choices are pathwise, with guides that can be made without a gradient. */
const isPathwise = ({ events }: Strand): boolean =>
  events.every((event) => {
    if (event.kind === 'pass') return event.items.every(isPathwise);
    return event.kind === 'factor' || event.logFixedGuide !== undefined;
  });

/** The sum of terms over all samples. */
function total(parts: readonly SampledPart[], terms: Terms): Value {
  let sum: Value = 0;
  const walk = (strand: Strand, lanes: Lanes | undefined, scale: number, share: Value, gain: Value): void => {
    const here = { share: inLanes(share, lanes), gain: inLanes(gain, lanes) };
    let own: Value = 0;
    for (const event of strand.events) {
      if (event.kind === 'factor') own = add(own, terms.factor(event.score, here.share));
      else if (event.kind === 'choice') own = add(own, terms.choice(event, here.share, here.gain));
      else for (const item of event.items) walk(item, item.lanes ?? lanes, scale, here.share, here.gain);
    }
    sum = add(sum, mul(scale, overAll(own, { lanes, events: [] })));
  };
  for (const { event, lanes, scale } of parts) {
    const bound = event.sampled!.bound!;
    const shares = bound.shares();
    // (With one sample there is nothing to compare it with, and no choice asks.)
    const gains = terms === BOUND && event.items.some(isWeighed) ? bound.gains() : undefined;
    event.items.forEach((item, i) => {
      walk(item, item.lanes ?? lanes, scale, shares[i], gains?.[i] ?? 0);
    });
  }
  return sum;
}

const isWeighed = ({ events }: Strand): boolean =>
  events.some((event) =>
    event.kind === 'pass' ? event.items.some(isWeighed) : event.kind === 'choice' && event.rule.weighed,
  );
