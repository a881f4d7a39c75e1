/** Sequential Monte Carlo among ranks, all particles of each side by side. */
import { inKernelMemory } from '../../lanes/columns/kernel-memory.ts';
import { exchanged } from '../../ranks/divided.ts';
import type { Entry } from '../../runtime/execution.ts';
import { during } from '../../runtime/machine.ts';
import { currentTeam, type Team } from '../../runtime/team.ts';
import type { Model } from '../algorithm.ts';
import type { IterationCount } from '../progress.ts';
import { type Filtered, Filtering } from './filtering.ts';
import { IslandParticles } from './island-particles.ts';
import { type Islands, LEAST_ON_ISLAND } from './islands.ts';
import { OnePopulation } from './populations.ts';
import type { Proposal } from './proposals.ts';
import type { Samples } from './rejuvenation.ts';

/** The ranks that particles are to be divided among, if that pays. */
export function ranksFor(particles: number): Team | undefined {
  const team = currentTeam();
  return team === undefined || particles < LEAST_ON_ISLAND * team.size ? undefined : team;
}

/** The results of one rank's particles. */
interface Island<T> {
  readonly places: Int32Array;
  readonly values: ArrayLike<T>;
  readonly scores: Float64Array;
  readonly filtered: Filtered;
  readonly isGuided: boolean;
}

/** The results of all particles. */
export interface Archipelago<T> {
  readonly samples: Samples<T>;
  readonly filtered: Filtered;
  readonly isGuided: boolean;
}

/** Runs `work`. What ends it on one rank ends it on all, which then go another way together. */
export function agreeing<R>(islands: Islands, work: () => R): R {
  try {
    return during({ apart: true }, work);
  } catch (thrown) {
    throw islands.giveUp(thrown);
  }
}

/** Runs the particles of this rank in one execution. Undefined if what they return cannot be sent to others. */
export function filterIslands<T>(
  entry: Entry,
  model: Model<T>,
  islands: Islands,
  proposal: Proposal | null,
  progress: IterationCount,
  drawsElsewhere: boolean,
): Archipelago<T> | undefined {
  const filtering = new Filtering(islands.size, entry.streamOf(0));
  const particles = new IslandParticles(islands, new OnePopulation(filtering), proposal, progress, drawsElsewhere);
  const ends = agreeing(islands, () => inKernelMemory(() => particles.runIsland(entry, model)));
  const own: Island<T> | null = ends && {
    places: islands.places,
    ...ends,
    filtered: filtering.result,
    isGuided: particles.guidance.isUsed(0),
  };
  const all = exchanged('gather particles', islands.team, own);
  return (
    all &&
    joined(
      all.filter((one) => one !== null),
      islands.size,
    )
  );
}

/** Puts values and scores where their particles are. */
function joined<T>(parts: readonly Island<T>[], size: number): Archipelago<T> {
  const areNumbers = parts.every(({ values }) => values instanceof Float64Array);
  const values = areNumbers ? new Float64Array(size) : new Array<T>(size);
  const scores = new Float64Array(size);
  for (const part of parts) {
    part.places.forEach((place, i) => {
      values[place] = part.values[i] as never;
      scores[place] = part.scores[i];
    });
  }
  const [{ filtered, isGuided }] = parts;
  return { samples: { values: values as ArrayLike<T> as T[], scores }, filtered, isGuided };
}
