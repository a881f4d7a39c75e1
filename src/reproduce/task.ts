/**
 * What there is to run: for each experiment its data, then each condition in each of its runs.
 *
 * The programs of `experiments/` are ordinary programs: they take data, steps and a checkpoint as arguments and return what
 * is to be kept. Each experiment is a table of conditions and a function from results to a chapter (`src/reproduce/gmm.ts` and
 * its like): figures as Vega-Lite specifications, tables, and claims with the test that decides each. `task.ts` says what is
 * to be run and what a result belongs to, `cli/reproduction.ts` runs it in threads. A result is kept as soon as it is there,
 * under the settings, programs and data it belongs to; another result in its place is refused rather than overwritten. Vega is
 * loaded by `report/svg.ts` alone, when figures are drawn.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Condition, Experiment, ProgramArguments, Scale, Sources } from './experiment.ts';
import { readResult } from './results.ts';

/** How much of each experiment is asked for. */
export interface Extent {
  readonly scale: Scale;
  /** Instead of what the scale says. */
  readonly runs?: number;
  readonly steps?: number;
  /** Names of conditions; all if left out. */
  readonly only?: readonly string[];
}

/** A program to run, and where what it gives is kept. */
export interface Task {
  readonly experiment: string;
  /** As progress calls it. */
  readonly label: string;
  readonly program: string;
  readonly seed: number;
  readonly args: ProgramArguments;
  readonly result: string;
  /** What an interrupted optimisation goes on from, if there is one to interrupt. */
  readonly checkpoint?: string;
  /** What decides whether a result that is there already is the one wanted. */
  readonly identity: Identity;
  /** Milliseconds, roughly. */
  readonly duration: number;
}

/** Settings that a result belongs to. Files are named by what is in them. */
export type Identity = Readonly<Record<string, string | number>>;

/** The folder of the programs: beside the build, or above it where a test has made a build of its own. */
export const programsFolder = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'experiments');
    if (existsSync(join(found, 'training.ts'))) return found;
    if (dirname(folder) === folder) throw new Error('The folder experiments is missing from this installation.');
  }
};

const digest = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

const folderOf = ({ name, folder = name }: Experiment): string => join(programsFolder(), folder);

/** Of the programs of the experiment, and of those above it, which several share. */
function programsDigest(experiment: Experiment): string {
  const texts: string[] = [];
  for (let folder = folderOf(experiment); ; folder = dirname(folder)) {
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .sort();
    texts.unshift(...files.map((name) => readFileSync(join(folder, name), 'utf8')));
    if (folder === programsFolder()) return digest(texts.join('\0'));
  }
}

/** Of what the data are and belong to, but not of how long it took to make them, which is another time another. */
function dataDigest(file: string): string {
  const { identity, value } = readResult(file);
  return digest(JSON.stringify({ identity, value }));
}

const DATA_SEED = 1;

export const dataFile = (out: string, { name }: Experiment): string => join(out, name, 'data.json');

export const runsOf = ({ runs }: Experiment, extent: Extent): number => extent.runs ?? runs[extent.scale];

/** The making of an experiment's data. */
export function dataTask(experiment: Experiment, out: string, extent: Extent, sources: Sources): Task {
  const args = experiment.dataArguments(sources, runsOf(experiment, extent));
  return {
    experiment: experiment.name,
    label: `${experiment.name}: data`,
    program: join(folderOf(experiment), 'data.ts'),
    seed: DATA_SEED,
    args,
    result: dataFile(out, experiment),
    identity: { program: 'data', programs: programsDigest(experiment), seed: DATA_SEED, ...args },
    duration: 0,
  };
}

export const resultFile = (out: string, { name }: Experiment, condition: Condition, run: number): string =>
  join(out, name, 'runs', `${condition.name}-${run + 1}.json`);

const stepsOf = ({ steps }: Condition, extent: Extent): number =>
  extent.steps === undefined ? steps[extent.scale] : Math.min(steps.full, extent.steps);

/** Checkpoints are written so often in an optimisation. */
const CHECKPOINTS = 20;

/** All runs of an experiment's conditions, whose data must be there. */
export function conditionTasks(experiment: Experiment, out: string, extent: Extent): Task[] {
  const data = dataFile(out, experiment);
  const common = { programs: programsDigest(experiment), data: dataDigest(data) };
  const { only } = extent;
  const asked = experiment.conditions.filter(({ name }) => only === undefined || only.includes(name));
  return asked.flatMap((condition) =>
    Array.from({ length: runsOf(experiment, extent) }, (_, run): Task => {
      const steps = stepsOf(condition, extent);
      const seed = run + 1;
      const own = extent.scale === 'quick' ? { ...condition.args, ...condition.quickArgs } : condition.args;
      const checkpoint = resultFile(out, experiment, condition, run).replace(/json$/, 'checkpoint');
      const resumable = { checkpoint, every: Math.max(1, Math.ceil(steps / CHECKPOINTS)) };
      return {
        experiment: experiment.name,
        label: `${experiment.name}: ${condition.name}${runsOf(experiment, extent) > 1 ? `, run ${run + 1}` : ''}`,
        program: join(folderOf(experiment), `${condition.program}.ts`),
        seed,
        args: { data, run, steps, ...(steps > 0 && resumable), ...own },
        result: resultFile(out, experiment, condition, run),
        checkpoint: steps > 0 ? checkpoint : undefined,
        identity: { program: condition.program, ...common, seed, run, steps, ...own },
        duration: steps * condition.cost,
      };
    }),
  );
}
