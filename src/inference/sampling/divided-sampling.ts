/** Independent executions among ranks: each makes a stretch of them, and all get the results of all. */
import { sharedOut } from '../../ranks/divided.ts';
import { currentTeam, type Share } from '../../runtime/team.ts';
import { inARow } from '../in-a-row.ts';
import type { Sampled } from './column-sampling.ts';

/** An execution by itself: what it gave, unless it was given up, with the scores of its choices and factors. */
export interface Single<T> {
  readonly ended: boolean;
  readonly value: T | undefined;
  readonly choiceScore: number;
  readonly factorScore: number;
}

/**
 * What `samples` executions gave, where there are ranks to divide them among; else null. `together` makes a stretch of them side by
 * side, if it can, and `alone` makes one.
 */
export function sampleByRanks<T>(
  samples: number,
  together: (share: Share) => Sampled<T> | null,
  alone: (i: number) => Single<T>,
): Sampled<T> | null {
  const team = currentTeam();
  if (team === undefined || samples < team.size) return null;
  const work = (share: Share): Sampled<T> => {
    const { values, ended, choiceScores, factorScores } = together(share) ?? oneByOne(share, alone);
    return { values, ended, choiceScores, factorScores };
  };
  return sharedOut('draw samples', samples, work, joined);
}

function oneByOne<T>({ first, count }: Share, alone: (i: number) => Single<T>): Sampled<T> {
  const all = Array.from({ length: count }, (_, i) => alone(first + i));
  return {
    values: all.map(({ value }) => value as T),
    ended: Uint8Array.from(all, ({ ended }) => (ended ? 1 : 0)),
    choiceScores: Float64Array.from(all, ({ choiceScore }) => choiceScore),
    factorScores: Float64Array.from(all, ({ factorScore }) => factorScore),
  };
}

function joined<T>(parts: readonly Sampled<T>[]): Sampled<T> {
  const areNumbers = parts.every(({ values }) => values instanceof Float64Array);
  const values = parts.map(({ values }) => values as ArrayLike<unknown>);
  const haveFactors = parts.some(({ factorScores }) => factorScores !== null);
  return {
    values: (areNumbers
      ? inARow(values as Float64Array[])
      : values.flatMap((part) => Array.from(part))) as ArrayLike<T>,
    ended: Uint8Array.from(parts.flatMap(({ ended }) => Array.from(ended))),
    choiceScores: inARow(parts.map(({ choiceScores }) => choiceScores)),
    factorScores: haveFactors
      ? inARow(parts.map(({ factorScores, ended }) => factorScores ?? new Float64Array(ended.length)))
      : null,
  };
}
