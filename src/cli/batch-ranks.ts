/**
 * `waymark batch` on several ranks. Rank 0 reads lines, hands them out by rounds, and writes what came of them in their order; each rank
 * runs its programs in a process of its own, as one process would.
 */
import { openMpi } from '../ranks/mpi-library.ts';
import { packed, unpacked } from '../ranks/parcels.ts';
import { WiredTeam } from '../ranks/wired-team.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { readBatchLine } from './batch-line.ts';
import { BatchProcess } from './batch-process.ts';
import { failure } from './failure.ts';
import type { BatchProgram, BatchSettings } from './jobs.ts';
import { linesOf } from './lines.ts';
import { type RankJob, turnToSpeak } from './rank-launch.ts';
import { STDERR, STDOUT, write } from './streams.ts';

/** Programs of a round for each rank, at most. */
const EACH = 4;

/** A line that rank 0 has read: its id, and a program or the result that its mistakes have. */
interface Line {
  readonly id: unknown;
  readonly program: BatchProgram | undefined;
  readonly result: string | undefined;
}

type Result = readonly [place: number, text: string];

export async function batchByRanks(ranks: RankJob, settings: BatchSettings): Promise<number> {
  const team = await joined(ranks);
  if (team === undefined) return 1;
  const runner = new BatchProcess(settings);
  const reader = team.rank === 0 ? new Rounds() : undefined;
  for (;;) {
    const round = await reader?.next(EACH * team.size);
    const programs = unpacked(
      team.broadcast('run programs', round && packed(round.map(({ program }) => program ?? null))),
    ) as (BatchProgram | null)[];
    if (programs.length === 0) break;
    const own: Result[] = [];
    for (let place = team.rank; place < programs.length; place += team.size) {
      const program = programs[place];
      if (program !== null) own.push([place, await runner.run(program)]);
    }
    const all = team.gather('run programs', packed(own) as Uint8Array).flatMap((bytes) => unpacked(bytes) as Result[]);
    if (round !== undefined) writeRound(round, new Map(all));
  }
  await runner.close();
  team.settle({ kind: 'done', message: '', code: 0 }, () => {});
  team.leave();
  return 0;
}

async function joined(ranks: RankJob): Promise<WiredTeam | undefined> {
  try {
    return new WiredTeam(openMpi(ranks.launch, ranks.isCrowded), () => 0);
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    await turnToSpeak(ranks);
    write(STDERR, `${error.message}\n`);
    return undefined;
  }
}

function writeRound(round: readonly Line[], results: ReadonlyMap<number, string>): void {
  round.forEach(({ id, result }, place) => {
    const text = result ?? (results.get(place) as string);
    write(STDOUT, `{"id":${JSON.stringify(id)},${text.slice(1)}\n`);
  });
}

/** Lines as they come, by rounds: a sender that waits for an answer before the next line gets one. */
class Rounds {
  private readonly waiting: Line[] = [];
  private ended = false;
  private number = 0;
  private wake: () => void = () => {};

  constructor() {
    void this.read();
  }

  private async read(): Promise<void> {
    for await (const text of linesOf(process.stdin)) {
      this.number++;
      if (text?.trim() !== '') this.waiting.push(lineOf(text, this.number));
      // Lines that came together make one round.
      setImmediate(() => this.wake());
    }
    this.ended = true;
    this.wake();
  }

  /** Up to so many lines, and at least one; none at the end. */
  async next(most: number): Promise<readonly Line[]> {
    while (this.waiting.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.waiting.splice(0, most);
  }
}

function lineOf(text: string | null, number: number): Line {
  const { id, program } = readBatchLine(text, number);
  if (!('problem' in program)) return { id, program, result: undefined };
  const result = failure(program.problem, { file: 'stdin', line: number, column: 1 });
  return { id, program: undefined, result };
}
