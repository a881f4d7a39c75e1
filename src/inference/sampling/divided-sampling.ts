/** Independent executions among ranks: each makes a stretch of them, and all get the results of all. */
import { sharedOut } from '../../ranks/divided.ts';
import { currentTeam, type Share } from '../../runtime/team.ts';
import { concatenated } from '../concatenated.ts';
import type { Sampled } from './column-sampling.ts';

/**
 * What `samples` executions gave; `sampled` makes a stretch of them, which is all of them where there are no ranks to divide them among, or
 * where all ranks are told of each (`isWatched`).
 */
export function sampleByRanks<T>(
  samples: number,
  isWatched: boolean,
  sampled: (share: Share) => Sampled<T>,
): Sampled<T> {
  if (isWatched || samples < (currentTeam()?.size ?? 1)) return sampled({ first: 0, count: samples });
  return sharedOut('draw samples', samples, sampled, joined);
}

function joined<T>(parts: readonly Sampled<T>[]): Sampled<T> {
  const areNumbers = parts.every(({ values }) => values instanceof Float64Array);
  const values = parts.map(({ values }) => values as ArrayLike<unknown>);
  const haveFactors = parts.some(({ factorScores }) => factorScores !== null);
  return {
    values: (areNumbers
      ? concatenated(values as Float64Array[])
      : values.flatMap((part) => Array.from(part))) as ArrayLike<T>,
    ended: Uint8Array.from(parts.flatMap(({ ended }) => Array.from(ended))),
    choiceScores: concatenated(parts.map(({ choiceScores }) => choiceScores)),
    factorScores: haveFactors
      ? concatenated(parts.map(({ factorScores, ended }) => factorScores ?? new Float64Array(ended.length)))
      : null,
  };
}
