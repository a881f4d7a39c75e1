/**
 * Automatic guides that depend on the choices before theirs, for executions side by side: each execution has a guide of its own, since it has chosen
 * other values. What a program does with the values runs for all at once.
 */
import { followed } from '../../guides/guide-of.ts';
import { isJoint, PrecedingOfEach } from '../../guides/joint/preceding-choices.ts';
import { fromLanes } from '../../lanes/columns/column.ts';
import { haveOwnData } from '../../lanes/columns/data.ts';
import { distributionAt, distributionOf } from '../../lanes/columns/distribution.ts';
import { currentGroup } from '../../lanes/columns/group.ts';
import { Doubles } from '../../lanes/columns/kernel-memory.ts';
import { LaneRandom } from '../../lanes/columns/lane-random.ts';
import { meter } from '../../lanes/columns/meter.ts';
import type { ColumnStreams } from '../../lanes/columns/streams.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { type Proposal, proposed } from '../particles/proposals.ts';

/** What was drawn at a choice, and its scores by what it was drawn from, and by its own distribution. */
interface DrawnJointly {
  readonly value: unknown;
  readonly scores: Doubles;
  readonly own: Doubles;
}

/** Draws a choice from joint guides; undefined if it has none. `streams` are not at the choice yet. */
export function drawJointly<V>(
  proposal: Proposal,
  given: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
  streams: ColumnStreams,
): DrawnJointly | undefined {
  if (options?.guide !== undefined || options?.noAutoGuide || !isJoint()) return undefined;
  const { size, slots } = currentGroup();
  const targets = distributionOf(given);
  const each = PrecedingOfEach.now();
  const guideOf = (lane: number): Distribution<unknown> | undefined =>
    proposed(proposal, distributionAt(targets, lane), options as SampleOptions<unknown> | undefined, address);
  const first = each.during(slots[0], () => guideOf(0));
  if (followed(first) === undefined) return undefined;
  if (haveOwnData()) throw new OneByOne('parameters', 'guides depend on the choices before theirs');
  const random = new LaneRandom(streams.begin());
  const values = new Array<unknown>(size);
  const [scores, own] = [new Float64Array(size), new Float64Array(size)];
  meter.choice(size);
  meter.each(size);
  for (let lane = 0; lane < size; lane++) {
    each.during(slots[lane], () => {
      const guide = lane === 0 ? first : guideOf(lane);
      if (guide === undefined || followed(guide) === undefined)
        throw new OneByOne('parameters', 'a choice has an automatic guide in some executions only');
      const value = guide.draw(random.at(lane));
      values[lane] = value;
      scores[lane] = guide.score(value);
      own[lane] = distributionAt(targets, lane).score(value);
      followed(guide)?.chosen(value);
    });
  }
  return { value: fromLanes(values), scores: Doubles.of(scores), own: Doubles.of(own) };
}
