/** Which data a pass outside lanes looks at: a minibatch, or what is given, in this step and when it is run again. */
import { askedGuide } from '../guides/joint/asked-guide.ts';
import { currentLanes, type Lanes } from '../lanes/lanes.ts';
import { type Choosing, ownIterations } from '../lanes/nested.ts';
import type { Iteration } from '../lanes/together.ts';
import { holdsNode } from '../lanes/value.ts';
import type { Address } from '../runtime/address.ts';
import type { Share } from '../runtime/team.ts';
import type { GivenChoices } from './given-executions.ts';
import type { StepDraws } from './step-draws.ts';

/** How many data are looked at, where not all are. Executions that are given are given whole, and curvatures are those of all data. */
export const batchSizeNow = (asked: number | undefined, given: GivenChoices | null): number | undefined =>
  given !== null || askedGuide()?.whole ? undefined : asked;

/** Data that a pass looks at: their indices, and what they are, if that is not what the program gave. */
interface ChosenData {
  readonly indices: ArrayLike<number>;
  readonly data?: readonly unknown[];
}

export interface Chosen {
  readonly now: ChosenData;
  /** The chosen data of the current step, where a recorded step is run again. */
  later(): ChosenData;
}

/** What the step at hand draws, when a recorded one is run again. */
type Later = { readonly draws: StepDraws | null };

/** A pass over data, as a program asks for it. */
export interface Pass {
  readonly address: Address;
  readonly length: number;
  readonly batchSize: number | undefined;
}

interface Steps {
  readonly draws: StepDraws;
  readonly later: Later;
}

/** The data that a pass looks at; undefined means all that the program gives it. */
export function chosenData(
  { address, length, batchSize }: Pass,
  { draws, later }: Steps,
  given: GivenChoices | null,
): Chosen | undefined {
  const own = currentLanes() === null ? given?.pass(address) : undefined;
  if (own !== undefined) return own;
  const indices = draws.batches.indices(address, length, batchSize);
  if (indices === undefined) return undefined;
  const ofStep = ({ batches }: StepDraws): ChosenData => ({ indices: batches.indices(address, length, batchSize)! });
  return { now: { indices }, later: () => ofStep(later.draws!) };
}

/** The share of the chosen data that this rank looks at. */
export function shareOfChosen(chosen: Chosen, { first, count }: Share): Chosen {
  const part = ({ indices, data }: ChosenData): ChosenData => ({
    indices: Int32Array.from(indices).subarray(first, first + count),
    data: data?.slice(first, first + count),
  });
  return { now: part(chosen.now), later: () => part(chosen.later()) };
}

/** The iterations over this rank's share of all data, which `of` makes. They keep the numbers that they have among all. */
export function shareOfIterations(
  data: ArrayLike<unknown>,
  { first, count }: Share,
  of: (data: ArrayLike<unknown>) => Iteration | undefined,
): Iteration | undefined {
  const found = Array.isArray(data) ? of(data.slice(first, first + count)) : undefined;
  return found && { ...found, indices: found.indices.map((index) => index + first) };
}

/** The iterations over the data of a pass. Undefined if it has to be done item by item. */
export function iterationsOf(
  data: ArrayLike<unknown>,
  chosen: Chosen | undefined,
  later: Later,
): Iteration | undefined {
  if (chosen === undefined) return ownIterations(data);
  const itemsOf = (of: ChosenData): readonly unknown[] => of.data ?? Array.from(of.indices, (i) => data[i]);
  const items = itemsOf(chosen.now);
  if (items.some(holdsNode)) return undefined;
  const indices = Int32Array.from(chosen.now.indices);
  const again = onceFor(later, () => {
    const of = chosen.later();
    return { data: itemsOf(of), indices: of.indices };
  });
  return {
    data: items,
    indices,
    outerLanes: new Int32Array(indices.length),
    again: {
      data: () => again().data,
      indices: () => again().indices,
      // (Data that are made up have the form of those they stand for.)
      all: () => Array.from(data),
    },
  };
}

/** Computed once for each step that is run again. */
function onceFor<T>(later: Later, find: () => T): () => T {
  let from: StepDraws | null = null;
  let found: T;
  return () => {
    if (from !== later.draws) {
      found = find();
      from = later.draws;
    }
    return found;
  };
}

/** The data that each lane looks at in a pass inside lanes: a minibatch of its own, or this rank's share of it. */
export function choosingOf(
  { address, length, batchSize }: Pass,
  lanes: Lanes,
  { draws, later }: Steps,
  share: Share | undefined,
): Choosing {
  const ofLane = ({ batches }: StepDraws, lane: number): Int32Array => {
    const all = batches.indices(address.inLane(lanes.path(lane)), length, batchSize)!;
    return share === undefined ? all : all.subarray(share.first, share.first + share.count);
  };
  return { now: (lane) => ofLane(draws, lane), later: (lane) => ofLane(later.draws!, lane) };
}
