/** A run as one of several ranks, in the program's thread: joining the others, and ending with them. */
import type { Launch } from '../ranks/launch.ts';
import { openMpi } from '../ranks/mpi-library.ts';
import { packed, unpacked } from '../ranks/parcels.ts';
import { ThreadWire } from '../ranks/thread-wire.ts';
import { type RankEnd, WiredTeam } from '../ranks/wired-team.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { Interrupted } from '../runtime/signals.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { RunJob } from './jobs.ts';
import type { Outcome } from './outcome.ts';
import type { RankJob } from './rank-launch.ts';
import { STOP } from './signals.ts';
import { speakAgain, stopSpeaking } from './streams.ts';

/** What rank 0 tells the others before the program starts. */
interface Beginning {
  readonly seed: number;
  readonly file: string;
  readonly code: string | undefined;
}

function byMpi({ launch, isCrowded }: RankJob, signalled: () => number): WiredTeam {
  const mpi = openMpi(launch, isCrowded);
  const team = new WiredTeam(mpi, signalled);
  if (launch === undefined || launch.size === team.size) return team;
  throw new WaymarkError(
    `The launcher has started ${launch.size} ranks, and ${mpi.kind} (${mpi.library}) knows of ${team.size}: it is not the MPI of ` +
      'this launcher. Use the launcher of the same MPI (with Slurm: srun --mpi=pmix, or the kind that srun --mpi=list shows), ' +
      'or name its library in WAYMARK_MPI.',
  );
}

function threadWire({ memory, launch }: RankJob): ThreadWire {
  const { rank, size } = launch as Launch;
  // (This ends the thread. The main thread ends the others.)
  return new ThreadWire(memory as SharedArrayBuffer, rank, size, (code) => process.exit(code));
}

export class OwnRank {
  readonly team: WiredTeam;

  /** Joins the others. Throws a `WaymarkError` if there is no MPI, or not one that fits the launcher. */
  constructor(
    ranks: RankJob,
    private readonly job: RunJob,
    private readonly sayError: (outcome: Failure) => void,
  ) {
    const { stop } = job;
    const signalled = (): number => (stop === undefined ? 0 : Atomics.load(stop, STOP));
    this.team = ranks.memory === undefined ? byMpi(ranks, signalled) : new WiredTeam(threadWire(ranks), signalled);
    if (this.team.rank > 0) stopSpeaking();
    // A program may end its thread itself.
    process.once('exit', (code) => this.end({ kind: 'exited', message: '', code }));
  }

  /** What is the same for all: the seed, if none was given, and the text of a program that came from stdin. */
  begin(): Beginning {
    const { team, job } = this;
    const own = team.rank === 0 ? packed({ seed: job.seed, file: job.file, code: job.code }) : undefined;
    return unpacked(team.broadcast('start the program', own)) as Beginning;
  }

  /** The parameters that rank 0 has read from a file. */
  parameters(own: ParameterTable | undefined): ParameterTable | undefined {
    const given = this.team.rank === 0 ? packed(own === undefined ? null : own.toObject()) : undefined;
    const found = unpacked(this.team.broadcast('read parameters', given)) as Record<string, Tensor> | null;
    if (this.team.rank === 0 || found === null) return own;
    return ParameterTable.from(found);
  }

  /** Waits for the others at the end, and gives the outcome of all: an error of any of them is that of the run. */
  settle(outcome: Outcome): Outcome {
    const end = this.end(endOf(outcome));
    if (end.kind === 'done' || ('error' in outcome && !outcome.elsewhere)) return outcome;
    if (end.kind === 'exited') process.exit(end.code);
    const { error } = JSON.parse(end.message) as Pick<Failure, 'error'>;
    return end.kind === 'interrupted' ? { error, interrupted: new Interrupted(end.code) } : { error };
  }

  private end(own: RankEnd | 'other'): RankEnd {
    const end = this.team.settle(own, () => {
      if (own === 'other' || own.message === '') return;
      speakAgain();
      this.sayError(JSON.parse(own.message) as Failure);
    });
    this.team.leave();
    return end;
  }
}

export const joinRanks = (...given: ConstructorParameters<typeof OwnRank>): OwnRank => new OwnRank(...given);

type Failure = Extract<Outcome, { error: unknown }>;

function endOf(outcome: Outcome): RankEnd | 'other' {
  if ('value' in outcome) return { kind: 'done', message: '', code: 0 };
  if (outcome.elsewhere) return 'other';
  const message = JSON.stringify({ error: outcome.error });
  const { interrupted } = outcome;
  if (interrupted !== undefined) return { kind: 'interrupted', message, code: interrupted.code };
  return { kind: 'failed', message, code: 1 };
}
