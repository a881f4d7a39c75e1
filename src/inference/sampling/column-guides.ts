/** Guides of choices that executions side by side make: what each of them would draw from alone. */

import type { Component } from '../../guides/guide-mixture.ts';
import { automaticGuides, followed, givenGuide } from '../../guides/guide-of.ts';
import { checkSupport } from '../../guides/guide-support.ts';
import { mixtureOfRuns, triedValues, type WaysTogether, type WayThrough } from '../../guides/own-choices.ts';
import { drawColumns } from '../../lanes/columns/choices.ts';
import { fromLanes, isDiffering } from '../../lanes/columns/column.ts';
import { atDatum, haveOwnData, indicesOfData } from '../../lanes/columns/data.ts';
import { type AnyDistribution, distributionAt, distributionOf } from '../../lanes/columns/distribution.ts';
import { currentGroup } from '../../lanes/columns/group.ts';
import type { ColumnStreams } from '../../lanes/columns/streams.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, Interval, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { valueKey } from '../../runtime/values.ts';
import type { ChoicePlaces } from '../particles/column-places.ts';
import { fromGuide, type Proposal } from '../particles/proposals.ts';

/** What a choice of the current group is drawn from; undefined for its own distribution. */
export function guideTogether<V>(
  proposal: Proposal,
  /** Where choices have been made; null if that is noted elsewhere. */
  places: ChoicePlaces | null,
  given: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
  /** What guides draw from for themselves; absent where they cannot. */
  streams?: ColumnStreams,
): Distribution<V> | undefined {
  if (proposal === fromGuide && options?.guide === undefined) return undefined;
  places?.note(address);
  const outer = machine.address;
  const found = guideOf(
    standingAlone(proposal),
    given as Distribution<unknown>,
    options as SampleOptions<unknown>,
    address,
    streams,
  );
  // The program goes on from where it is.
  machine.address = outer;
  return found as Distribution<V> | undefined;
}

/** Guides that depend on the choices before theirs are made for one execution at a time. */
const standingAlone =
  (proposal: Proposal): Proposal =>
  (...choice) => {
    const guide = proposal(...choice);
    if (followed(guide) !== undefined) throw new OneByOne('parameters', 'guides depend on the choices before theirs');
    return guide;
  };

function guideOf(
  proposal: Proposal,
  given: Distribution<unknown>,
  options: SampleOptions<unknown> | undefined,
  address: Address,
  streams: ColumnStreams | undefined,
): Distribution<unknown> | undefined {
  if (options?.guide !== undefined) {
    const ways = new ColumnWays(distributionOf(given), address, streams);
    const guide = givenGuide(null, options.guide, address, options.guideSamples, ways);
    if (ways.mixed) return guide;
    if (isDiffering(given) || isDiffering(guide)) checkEach(distributionOf(given), distributionOf(guide), address);
    else checkSupport(given, guide, address);
    return guide;
  }
  if (haveOwnData()) return guideByDatum(proposal, given, options, address);
  if (!isDiffering(given)) return proposal(given, options, address);
  const target = distributionOf(given);
  const first = distributionAt(target, 0);
  const guide = proposal(first, options, address);
  if (guide === undefined || haveOneGuide(first, target)) return guide;
  const { size } = currentGroup();
  const guides: Distribution<unknown>[] = [guide];
  for (let lane = 1; lane < size; lane++) {
    const found = proposal(distributionAt(target, lane), options, address);
    if (found === undefined)
      throw new OneByOne('parameters', 'a choice has an automatic guide in some executions only');
    guides.push(found);
  }
  return fromLanes(guides) as Distribution<unknown>;
}

const DRAWS = 'a guide draws choices of its own';

/**
 * Guides that choose for themselves: all ways are gone once, by all executions, each of which draws what it would draw alone and has the mixture
 * that it has alone.
 */
class ColumnWays implements WaysTogether {
  /** Whether the guide has chosen something. */
  mixed = false;
  private readonly group = currentGroup();

  constructor(
    private readonly target: AnyDistribution,
    private readonly address: Address,
    private readonly streams: ColumnStreams | undefined,
  ) {}

  values(of: Distribution<unknown>): readonly unknown[] | undefined {
    if (currentGroup() !== this.group)
      throw new OneByOne('choices', 'a guide makes a choice on a side of a conditional');
    const all = distributionOf(of);
    const alone = distributionAt(all, 0);
    const first = triedValues(alone);
    if (!isDiffering(of) || (isOneFamily(all) && alone.isContinuous)) return first;
    const keyOf = (values: readonly unknown[] | undefined): string => JSON.stringify(values?.map(valueKey) ?? null);
    const key = keyOf(first);
    for (let lane = 1; lane < this.group.size; lane++) {
      // (Alone, some would try other values than others do, or draw.)
      if (keyOf(triedValues(distributionAt(all, lane))) !== key) throw new OneByOne('choices', DRAWS);
    }
    return first;
  }

  draw(of: Distribution<unknown>): unknown {
    if (this.streams === undefined) throw new OneByOne('choices', DRAWS);
    return drawColumns(distributionOf(of), this.streams.begin());
  }

  mixture(runs: readonly (readonly WayThrough[])[]): Distribution<unknown> {
    this.mixed = true;
    const ways = runs.flat();
    for (const { dist } of ways) checkEach(this.target, distributionOf(dist), this.address, false);
    const componentOf = ({ dist, steps }: WayThrough, lane: number): Component => ({
      dist: distributionAt(distributionOf(dist), lane),
      log: steps.reduce((sum, { of, value }) => sum + distributionAt(distributionOf(of), lane).score(value), 0),
    });
    const ownOf = (lane: number): Distribution<unknown> =>
      mixtureOfRuns(
        runs.map((run) => run.map((way) => componentOf(way, lane))),
        0,
      );
    const differs = ways.some(({ dist, steps }) => isDiffering(dist) || steps.some(({ of }) => isDiffering(of)));
    if (!differs) return ownOf(0);
    return fromLanes(Array.from({ length: this.group.size }, (_, lane) => ownOf(lane))) as Distribution<unknown>;
  }
}

/** Automatic guides inside of `mapData`, where executions have a datum each: those of a datum have parameters of its own. */
function guideByDatum(
  proposal: Proposal,
  given: Distribution<unknown>,
  options: SampleOptions<unknown> | undefined,
  address: Address,
): Distribution<unknown> | undefined {
  const target = distributionOf(given);
  const indices = indicesOfData();
  const propose = (lane: number): Distribution<unknown> | undefined => {
    const index = indices[lane];
    return atDatum(index, () => proposal(distributionAt(target, lane), options, address.inLane([index])));
  };
  const firsts = new Map<number, { target: Distribution<unknown>; guide: Distribution<unknown> | undefined }>();
  for (let lane = 0; lane < indices.length; lane++) {
    if (!firsts.has(indices[lane]))
      firsts.set(indices[lane], { target: distributionAt(target, lane), guide: propose(lane) });
  }
  const found = [...firsts.values()];
  if (found.every(({ guide }) => guide === undefined)) return undefined;
  if (found.some(({ guide }) => guide === undefined))
    throw new OneByOne('parameters', 'a choice has an automatic guide for some data only');
  const guides = Array.from(indices, (index, lane) => {
    const { target: first, guide } = firsts.get(index)!;
    const own = distributionAt(target, lane);
    return own === first || automaticGuides.current?.areAlike(first, own) ? guide : propose(lane);
  });
  return fromLanes(guides) as Distribution<unknown>;
}

/** Whether the automatic guides of all executions are known to be the same. */
function haveOneGuide(first: Distribution<unknown>, target: AnyDistribution): boolean {
  const { size } = currentGroup();
  for (let lane = 0; lane < size; lane++) {
    if (!automaticGuides.current?.areAlike(first, distributionAt(target, lane))) return false;
  }
  return true;
}

/** Refuses a guide that does not suit its choice in some execution. Where there are no bounds, one speaks for all. */
function checkEach(target: AnyDistribution, guide: AnyDistribution, address: Address, alone = true): void {
  const { size } = currentGroup();
  for (let lane = 0; lane < size; lane++) {
    const [wanted, offered] = [distributionAt(target, lane), distributionAt(guide, lane)];
    checkSupport(wanted, offered, address, alone);
    if (isOneFamily(target) && isOneFamily(guide) && !isBounded(wanted) && !isBounded(offered)) return;
  }
}

const isOneFamily = (distribution: AnyDistribution): boolean => !Array.isArray(distribution);

function isBounded(distribution: Distribution<unknown>): boolean {
  const { lower = -Infinity, upper = Infinity } = (distribution.support?.() ?? {}) as Partial<Interval>;
  return lower !== -Infinity || upper !== Infinity;
}
