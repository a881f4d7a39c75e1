/**
 * The processes that run one program together. Each is a _rank_: it runs the whole program with the same seed, and of work that can be
 * divided it does a share. What is common to all, such as parameters, is computed by all alike.
 */
import { machine, runsDirectly } from './machine.ts';

/** The others. Every rank makes the same calls in the same order; `what` says of which work they are part. */
export interface Team {
  /** Which of them this one is, from 0. */
  readonly rank: number;
  readonly size: number;
  /** The exit code that a signal to some rank asks for, as all knew at the last call; 0 if there was none. */
  readonly stop: number;
  /** Whether the ranks have parted: the program has come to its end, and nothing is exchanged any more. */
  readonly over: boolean;
  /** Replaces each number by its sum over all ranks. */
  sum(what: string, numbers: Float64Array | Float32Array): void;
  /** Replaces each number by the largest of all ranks. */
  largest(what: string, numbers: Float64Array): void;
  /** The bytes of all ranks, in their order. */
  gather(what: string, bytes: Uint8Array): Uint8Array[];
  /** The bytes of rank 0, which gives them; the others give nothing. */
  broadcast(what: string, bytes: Uint8Array | undefined): Uint8Array;
}

/** The team, where work can be divided: outside any inference, not within a share of it, and not after the end. */
export function currentTeam(): Team | undefined {
  const { team } = machine.run;
  return team === undefined || team.size === 1 || team.over || machine.apart || !runsDirectly() ? undefined : team;
}

/** Whether this process is the one that speaks, and writes files. */
export const isFirst = (): boolean => (machine.run.team?.rank ?? 0) === 0;

/** A stretch of numbers. */
export interface Share {
  readonly first: number;
  readonly count: number;
}

/** Which of `count` things the rank does: one stretch for each rank, in their order, none more than one longer than another. */
export function shareOf(count: number, { rank, size }: Pick<Team, 'rank' | 'size'>): Share {
  const first = Math.floor((rank * count) / size);
  return { first, count: Math.floor(((rank + 1) * count) / size) - first };
}
