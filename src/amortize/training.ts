/** A training on dreams and on real data, step by step, with what is needed to resume it after an interruption. */
import { importanceDiagnostics } from '../inference/diagnostics/pareto.ts';
import { IterationCount } from '../inference/progress.ts';
import { Plateau } from '../optimize/plateau.ts';
import { during, machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Learned } from './amortized.ts';
import { DreamPool } from './dream-pool.ts';
import type { AnyModel, Dreamer, Dreams } from './dreams.ts';
import { GuidedInference } from './inferring.ts';
import { Network } from './network.ts';
import { objectiveAt } from './objectives.ts';
import type { ReadOptions } from './options.ts';
import { Reading } from './reading.ts';
import { tempered } from './tempering.ts';
import { Trainer } from './trainer.ts';
import { variational } from './variational.ts';
import { wakes } from './wake.ts';

/** The largest share of the steps in which the step size rises. */
const RISE = 0.025;
const LONGEST_RISE = 500;
/** The step size at the end, as a share of the largest. */
const LEAST = 0.01;
const CLIP = 10;
/** The objective is shown as a mean over about so many steps. */
const SMOOTH = 50;
/** Milliseconds between checkpoints. */
const CHECKPOINT_AFTER = 30_000;
/** Steps between looks at fresh dreams. */
const LOOK_EVERY = 250;
/** Samples with which a look is taken. */
const LOOKED_AT = 200;

export class Training {
  private readonly trainer: Trainer;
  private readonly random: RandomStream = machine.stream.named('training');
  private readonly network: Network;
  private mean = Number.NaN;
  /** The effective sample size at the last look, as a share of the samples. */
  private share = Number.NaN;
  private readonly pool: DreamPool | null;

  constructor(
    private readonly model: AnyModel,
    private readonly learned: Learned,
    private readonly dreamer: Dreamer,
    private readonly options: ReadOptions,
    /** Writes a checkpoint. */
    private readonly keep: (() => void) | null,
  ) {
    const { parameters, sizes, sites, shape } = learned;
    this.trainer = new Trainer(parameters, sizes, sites, shape);
    this.trainer.declare();
    this.network = new Network(parameters, sizes);
    const { samples, simulations } = options;
    const random = machine.stream.named('simulations');
    this.pool = simulations === undefined ? null : new DreamPool(dreamer, samples, simulations, random);
  }

  run(): void {
    const { learned, options, keep } = this;
    const { steps, stepSize, stopAtPlateau, verbose } = options;
    const plateau = stopAtPlateau === undefined ? null : new Plateau(stopAtPlateau);
    const progress = new IterationCount('Amortize', steps, verbose ? 1 : undefined);
    const note = (): string => this.note();
    let written = performance.now();
    for (let step = learned.parameters.steps; step < steps; step++) {
      // What a step draws depends on its number alone, so that a training can go on from any of them.
      const value = during({ stream: this.random.child(step, 0) }, () =>
        this.trainer.step(this.material(step), stepSize * pace(step, steps), CLIP),
      );
      this.mean = Number.isNaN(this.mean) ? value : this.mean + (value - this.mean) / SMOOTH;
      learned.objective = this.mean;
      if ((step + 1) % LOOK_EVERY === 0) this.share = this.look();
      progress.step(note);
      if (plateau?.reached(value)) break;
      if (keep !== null && performance.now() - written > CHECKPOINT_AFTER) {
        keep();
        written = performance.now();
      }
    }
    keep?.();
    progress.finish();
  }

  /** The dreams that a step learns from; on several ranks, the share of this rank. */
  private material(step: number): Dreams {
    const { data, objective, samples } = this.options;
    const random = machine.stream.named('objective').begin();
    const { name, samples: own = samples } = objectiveAt(objective, random.uniform());
    if (name === 'dream') return this.pool?.at(step) ?? this.dreamer.dreamOwn(own);
    const given = [this.model, this.learned, this.network, data[step % data.length], own] as const;
    return name === 'RWS' ? tempered(wakes(...given)) : variational(...given);
  }

  /** A line of progress: the objective, and the effective sample size on fresh dreams. */
  private note(): string {
    const found = Number.isNaN(this.share) ? '' : `, effective sample size ${(100 * this.share).toFixed(0)} %`;
    return `objective ${this.mean.toFixed(3)}${found}`;
  }

  /** The effective sample size for data that are made up now, as a share of the samples. What is looked at is not learned. */
  private look(): number {
    const { sites } = this.learned;
    return sites.closed(() => this.shareOfFresh()).result;
  }

  private shareOfFresh(): number {
    return during({ stream: this.random.named(`look ${this.learned.parameters.steps}`), apart: true }, () => {
      const { sites, shape } = this.learned;
      const { forms } = this.dreamer.dream(16);
      const data = forms[0].data(0);
      const reading = new Reading(this.network.refresh(), shape, data);
      const inference = new GuidedInference(sites, reading, () => this.model(data), false);
      const { logWeights } = inference.executions('importance', { first: 0, count: LOOKED_AT });
      // It may be that none is possible given the data, as where a model observes a value without noise.
      return logWeights.length === 0 ? 0 : importanceDiagnostics(logWeights).ess / LOOKED_AT;
    });
  }
}

/** The share of the largest step size: it rises, and falls by a cosine. */
function pace(step: number, steps: number): number {
  const rise = Math.max(1, Math.min(LONGEST_RISE, RISE * steps));
  if (step < rise) return (step + 1) / rise;
  const part = (step - rise) / Math.max(1, steps - rise);
  return LEAST + (1 - LEAST) * 0.5 * (1 + Math.cos(Math.PI * part));
}
