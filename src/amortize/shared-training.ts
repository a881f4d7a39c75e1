/**
 * Training among ranks. All of them dream the same dreams and meet the same sites; of the dreams of a step each finds the objective and the
 * gradients for a share. A dream counts as much as it weighs, so that shares add up to what one process finds, up to the order of sums.
 */
import { currentTeam, type Share, shareOf } from '../runtime/team.ts';
import type { Dreams, DreamtForm } from './dreams.ts';
import { scaleSites } from './pack.ts';
import type { Choice } from './recorder.ts';

/** An objective, and the gradients of its negative by the parameters in their order; none where there is nothing to learn from. */
export interface Evaluated {
  readonly value: number;
  readonly gradients: readonly ArrayLike<number>[];
}

/** Fewer dreams for each rank cost more than they save. */
const FEWEST = 4;

/** What `evaluate` finds for the dreams, by all ranks together. `sizes` are those of the parameters. */
export function evaluatedByAll(
  dreams: Dreams,
  evaluate: (dreams: Dreams) => Evaluated,
  sizes: () => readonly number[],
): Evaluated {
  const team = currentTeam();
  if (team === undefined || dreams.size < FEWEST * team.size) return evaluate(dreams);
  // New sites are as large as the numbers of all dreams are, whichever of them fall to this rank.
  scaleSites(dreams.choices);
  const share = shareOf(dreams.size, team);
  const { value, gradients } = evaluate(partOf(dreams, share));
  // Shares that are given add up as they are.
  const weight = dreams.shares === undefined ? weightOf(dreams.logWeights, share) : 1;
  const lengths = sizes();
  const sums = new Float64Array(2 + lengths.reduce((sum, length) => sum + length, 0));
  sums[0] = gradients.length > 0 ? 1 : 0;
  sums[1] = weight * value;
  let at = 2;
  for (const gradient of gradients) {
    for (let i = 0; i < gradient.length; i++) sums[at + i] = weight * gradient[i];
    at += gradient.length;
  }
  team.sum('train a network', sums);
  if (sums[0] === 0) return { value: sums[1], gradients: [] };
  let end = 2;
  const gradientsOfAll = lengths.map((length) => {
    end += length;
    return sums.subarray(end - length, end);
  });
  return { value: sums[1], gradients: gradientsOfAll };
}

/** How much the dreams of a share count among all. */
function weightOf(logs: Float64Array, { first, count }: Share): number {
  const largest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  if (largest === -Infinity) return 0;
  const total = (of: Float64Array): number => of.reduce((sum, log) => sum + Math.exp(log - largest), 0);
  return total(logs.subarray(first, first + count)) / total(logs);
}

/** Some of the dreams, numbered from 0. */
export function partOf({ choices, logWeights, forms, values, shares }: Dreams, share: Share): Dreams {
  const { first, count } = share;
  return {
    size: count,
    choices: choices.flatMap((choice) => choicePart(choice, share)),
    logWeights: logWeights.slice(first, first + count),
    forms: forms.flatMap((form) => formPart(form, share)),
    values: values.slice(first, first + count),
    shares: shares?.slice(first, first + count),
  };
}

/** Places of the numbers that are in a share. */
function placesIn(lanes: ArrayLike<number>, { first, count }: Share): Int32Array {
  const places: number[] = [];
  for (let i = 0; i < lanes.length; i++) if (lanes[i] >= first && lanes[i] < first + count) places.push(i);
  return Int32Array.from(places);
}

function choicePart(choice: Choice, share: Share): Choice[] {
  const places = placesIn(choice.lanes, share);
  if (places.length === 0) return [];
  const total = choice.lanes.length;
  const fields = Object.entries(choice).map(([name, field]) => [
    name,
    ArrayBuffer.isView(field) ? rowsAt(field as Float64Array, places, (field as Float64Array).length / total) : field,
  ]);
  return [{ ...(Object.fromEntries(fields) as Choice), lanes: places.map((i) => choice.lanes[i] - share.first) }];
}

/** Rows of so many numbers each. */
function rowsAt(table: Float64Array, places: Int32Array, width: number): Float64Array {
  const rows = new (table.constructor as Float64ArrayConstructor)(places.length * width);
  for (let i = 0; i < places.length; i++) {
    const from = places[i] * width;
    for (let k = 0; k < width; k++) rows[i * width + k] = table[from + k];
  }
  return rows;
}

function formPart({ lanes, tokens, leaves, data }: DreamtForm, share: Share): DreamtForm[] {
  const places = placesIn(lanes, share);
  if (places.length === 0) return [];
  return [
    {
      lanes: places.map((i) => lanes[i] - share.first),
      tokens,
      leaves: (place) => {
        const all = leaves(place);
        return Array.from(places, (i) => all[i]);
      },
      data: (i) => data(places[i]),
    },
  ];
}
