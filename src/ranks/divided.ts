/** Work that consists of many independent parts, divided among ranks. */
import { during } from '../runtime/machine.ts';
import { currentTeam, type Share, shareOf, type Team } from '../runtime/team.ts';
import { packed, unpacked } from './parcels.ts';
import { hushed, print } from './printed.ts';

/**
 * What `part` gives for each number from 0 to `count` − 1, in order. Each rank does a stretch of them, and all get the results of all:
 * what one process would find, as long as a part depends on its number alone (its random numbers come from `entry.streamOf(i)`, say).
 * `what` names the work in messages: "draw samples". Without other ranks, or inside other divided work, it is a loop.
 */
export function divided<R>(what: string, count: number, part: (i: number) => R): R[] {
  const each = ({ first, count }: Share): R[] => Array.from({ length: count }, (_, i) => part(first + i));
  return sharedOut(what, count, each, (parts) => parts.flat(1) as R[]);
}

/**
 * The same for work that does a whole stretch at once: `work` does one stretch, and `join` puts the results of all of them
 * together, in order. Where results cannot be sent to others because they hold functions of the program, every rank does all
 * of the work.
 */
export function sharedOut<R>(
  what: string,
  count: number,
  work: (share: Share) => R,
  join: (parts: readonly R[]) => R,
): R {
  const team = currentTeam();
  if (team === undefined || count < 2) return work({ first: 0, count });
  const all = sharedWork(what, team, () => work(shareOf(count, team)));
  return all === undefined ? during({ apart: true }, () => work({ first: 0, count })) : join(all);
}

/** Does the work of this rank, and gives what came of that of all ranks, in their order; undefined if some of it cannot be sent. */
export function sharedWork<R>(what: string, team: Team, work: () => R): R[] | undefined {
  const { result, printed } = hushed(() => during({ apart: true }, work));
  const all = exchanged(what, team, [result, printed] as const);
  if (all === undefined) return undefined;
  for (const [, ofOne] of all) print(ofOne);
  return all.map(([one]) => one);
}

/** The largest of the numbers that ranks have. */
export function largestOf(what: string, team: Team, own: number): number {
  const numbers = Float64Array.of(own);
  team.largest(what, numbers);
  return numbers[0];
}

/** What all ranks have, in their order; undefined if some of it cannot be sent. */
export function exchanged<R>(what: string, team: Team, own: R): R[] | undefined {
  const bytes = packed(own);
  const all = team.gather(what, bytes ?? new Uint8Array(0));
  if (all.some(({ length }) => length === 0)) return undefined;
  return all.map((parcel, rank) => (rank === team.rank ? own : (unpacked(parcel) as R)));
}
