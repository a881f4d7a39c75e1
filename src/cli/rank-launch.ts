/** What the main thread knows of the ranks that this process is one of. */
import { availableParallelism, cpus } from 'node:os';
import { startThread } from '../host/system.ts';
import { areCrowded, type Launch, launchOf } from '../ranks/launch.ts';
import { sharedMemory } from '../ranks/thread-wire.ts';
import type { Engine } from '../runtime/machine.ts';
import { flag, number, UsageError } from './arguments.ts';
import { calmUcx } from './calm-ucx.ts';
import { endWithoutThreads } from './signals.ts';

export const rankOptions = {
  mpi: flag('run as one of the ranks that mpirun or srun has started, also where the environment does not say so'),
};

/** The ranks are threads of one process. */
const MOST_RANKS = 256;

export const threadRankOptions = {
  ranks: number(
    'ranks',
    `a whole number from 1 to ${MOST_RANKS}`,
    (n) => Number.isInteger(n) && n >= 1 && n <= MOST_RANKS,
    'divide chains, samples, particles and data among so many threads, each of which runs the program (docs/clusters.md)',
  ),
};

/** How a process is told to join others. */
export interface RankJob {
  readonly launch: Launch | undefined;
  /** Whether there are more ranks on this machine than processors. */
  readonly isCrowded: boolean;
  /** What they exchange numbers by, if they are threads of this process and not MPI's. */
  readonly memory?: SharedArrayBuffer;
}

/** The ranks to join; undefined if the process runs alone. `ranks` is the number of threads that it starts itself as ranks. */
export function ranksToJoin({
  mpi = false,
  ranks,
}: {
  readonly mpi?: boolean;
  readonly ranks?: number;
}): RankJob | undefined {
  const launch = launchOf(process.env);
  if (ranks !== undefined) return ranksToStart(ranks, mpi || launch !== undefined);
  if (launch === undefined && !mpi) return undefined;
  calmUcx();
  endWithoutThreads();
  if (launch !== undefined) startThread(LEASH, { parent: process.ppid, every: ORPHAN_MS }, undefined);
  return { launch, isCrowded: isCrowded(launch) };
}

function ranksToStart(size: number, isRank: boolean): RankJob | undefined {
  if (isRank) {
    throw new UsageError(
      '--ranks starts ranks on this machine, and mpirun or srun has started some already: leave out one of them.',
    );
  }
  if (size === 1) return undefined;
  const launch = { rank: 0, size, here: size, processors: undefined, kind: undefined };
  return { launch, isCrowded: false, memory: sharedMemory(size) };
}

/** As the user says, else by what is known of the machine. */
function isCrowded(launch: Launch | undefined): boolean {
  const wish = process.env.WAYMARK_MPI_WAIT;
  if (wish === 'sleep' || wish === 'spin') return wish === 'sleep';
  if (wish) throw new UsageError(`WAYMARK_MPI_WAIT is sleep or spin, got ${wish}.`);
  return launch !== undefined && areCrowded(launch.here, cpus().length, availableParallelism());
}

/** How often a rank looks whether the process that has started it is still there. */
const ORPHAN_MS = 1000;

/**
 * Ends the process when the one that has started it is gone. A rank that waits for others computes nothing and hears nothing: launchers
 * end what they have started, unless they are killed themselves. So another thread looks.
 */
const LEASH = `({ parent, every }, _, require) => {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, every);
}`;

/** Whether this is not the rank that speaks and writes. */
export const isSilent = (ranks: RankJob | undefined): boolean => (ranks?.launch?.rank ?? 0) > 0;

/** Ranks on one machine share its processors, unless their user has said otherwise. */
export function engineOfRank(engine: Engine, ranks: RankJob | undefined): Engine {
  const { here = 1, processors }: Partial<Launch> = ranks?.launch ?? {};
  if (engine.threads !== undefined || (here === 1 && processors === undefined)) return engine;
  return { ...engine, threads: processors ?? Math.max(1, Math.floor(availableParallelism() / here)) };
}

/** Throws where a setting and several ranks exclude each other. */
export function checkRanks(
  ranks: RankJob | undefined,
  settings: { readonly sandbox?: boolean; readonly watch?: boolean },
): void {
  if (ranks === undefined) return;
  for (const name of ['sandbox', 'watch'] as const) {
    if (!settings[name]) continue;
    throw new UsageError(
      ranks.memory === undefined
        ? `--${name} is for one process, and this is one of several ranks.`
        : `--${name} is for a program that runs alone: leave out --ranks.`,
    );
  }
}

/** Says something that every rank would say: rank 0 at once, and any other only if it is still there some seconds later. */
const PATIENCE_MS = 3000;
const PATIENCE_PER_RANK_MS = 400;

export function turnToSpeak({ launch }: RankJob): Promise<void> {
  const rank = launch?.rank ?? 0;
  if (rank === 0) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS + PATIENCE_PER_RANK_MS * rank));
}
