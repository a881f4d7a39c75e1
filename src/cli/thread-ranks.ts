/** `waymark run --ranks N`: the program in N threads of one process, which divide work as ranks of MPI do. */
import { setTimeout } from 'node:timers/promises';
import type { RunJob } from './jobs.ts';
import type { RankJob } from './rank-launch.ts';
import { type Ending, ending, HEAP_MB, startThread } from './thread.ts';

/** How long a thread that has heard of the end may take to come to its own, in milliseconds. */
const PATIENCE_MS = 5000;

/** What a thread needs at least, in megabytes. */
const LEAST_MB = 512;

/** Runs to the end. The outcome of the first rank is that of all, unless another rank has ended in a way that the first cannot hear of. */
export async function runThreads(job: RunJob, ranks: RankJob): Promise<Ending> {
  const { size = 1 } = ranks.launch ?? {};
  const memory = Math.max(LEAST_MB, Math.floor(HEAP_MB / size));
  const threads = Array.from({ length: size }, (_, rank) => startThread(rankOf(job, ranks, rank), { memory }));
  const endings = threads.map((thread) => ending(thread, beyondShare(memory, size)));
  const end = await Promise.race([endings[0], ...endings.slice(1).map(unheard)]);
  if ('code' in end) await Promise.race([Promise.all(endings), setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  await Promise.all(threads.map((thread) => thread.terminate()));
  return end;
}

const beyondShare = (megabytes: number, size: number): string =>
  `The program needs more memory than the ${megabytes} MB that each of ${size} ranks may use: start fewer ranks, or keep fewer samples ` +
  'or smaller data.';

/** How a rank ended that failed and gave up waiting for the others, or could not tell them. The first rank hears of other failures itself. */
async function unheard(one: Promise<Ending>): Promise<Ending> {
  const end = await one;
  if ('fault' in end) return end;
  if (end.code === 0) return new Promise(() => {});
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  return end;
}

/** What the thread of a rank is told. The first reads and writes files, and draws progress. */
function rankOf(job: RunJob, { launch, ...rest }: RankJob, rank: number): RunJob {
  if (rank === 0 || launch === undefined) return job;
  const ranks = { ...rest, launch: { ...launch, rank } };
  return { ...job, ...NOTHING, timing: false, ranks };
}

/** Neither files nor a bar. */
const NOTHING = {
  json: undefined,
  html: undefined,
  svg: undefined,
  params: undefined,
  paramsPlace: undefined,
  columns: undefined,
};
