/** `Optimize`: improves parameters step by step (section 4.4 of the paper, and WebPPL's options). */

import type { Params } from '../guides/given-params.ts';
import { tableOf, withParameters } from '../guides/given-params.ts';
import { warnOfUnusedValues } from '../guides/guide-values.ts';
import { askedGuide } from '../guides/joint/asked-guide.ts';
import type { Model } from '../inference/algorithm.ts';
import { modelAndOptions } from '../inference/infer.ts';
import { readOptions } from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { isQuiet } from '../runtime/quiet-functions.ts';
import { inSomeWay, withoutChoices } from '../runtime/refusal.ts';
import { Interrupted } from '../runtime/signals.ts';
import { engineMode, forAWhile } from '../tensor/mode.ts';
import { askedFor, checkObjective, completeGuide } from './auto-guide.ts';
import { BadStep } from './bad-terms.ts';
import type { OptimizationState } from './checkpoint-format.ts';
import { identityOf } from './checkpoint-identity.ts';
import { type CheckpointKeeper, openCheckpoint } from './checkpoint-of-ranks.ts';
import type { Outlook, Steps } from './estimator.ts';
import { badGradient, GradientChecks } from './gradient-checks.ts';
import { estimatorOf } from './objective-option.ts';
import { type OptimizeOptions, optimizeOptions } from './optimize-options.ts';
import { PackedParameters } from './packed-parameters.ts';
import { Plateau } from './plateau.ts';
import { ProgressLog } from './progress-log.ts';
import { BadStepElsewhere, RankSteps } from './rank-steps.ts';
import { Reports } from './reports.ts';
import { type Movement, type OptimisationMethod, updateRules } from './update-rules.ts';

/**
 * Optimises the parameters that the model's execution meets. Returns all of them; without the option `params` they
 * are also those of the run, which `getParams`, guided sampling and the next `Optimize` see.
 */
export function runOptimize(first: unknown, second: unknown): Params {
  const { model, options: given } = modelAndOptions<unknown>('Optimize', first, second);
  const options = readOptions('Optimize', given, optimizeOptions, { apart: ['model'] });
  const table = options.params === undefined ? machine.params : tableOf('Optimize: params', options.params);
  new Optimization(model, options, table).run();
  return table.inOrder();
}

/** The `onStep` of optimisations that have none. */
const noCallback = optimizeOptions.onStep.standard?.value;

/** One optimisation, from the first step to the last. */
export class Optimization {
  private readonly entry: Entry;
  private readonly movement: Movement;
  private readonly parameters: PackedParameters;
  private readonly history: number[] = [];
  private skipped = 0;

  constructor(
    private readonly model: Model<unknown>,
    private readonly options: OptimizeOptions,
    private readonly table: ParameterTable,
  ) {
    this.entry = new Entry(table);
    const { name, options: chosen } = options.optMethod;
    this.movement = (updateRules[name] as unknown as OptimisationMethod<object>).start(chosen);
    this.parameters = new PackedParameters(table, this.movement.rule, options.weightDecay);
  }

  run(): void {
    checkObjective(this.options.autoGuide, this.options.estimator);
    const checkpoint = this.openCheckpoint();
    try {
      forAWhile(machine, askedFor(this.options.autoGuide), () => inSomeWay(() => this.runFrom(checkpoint)));
    } finally {
      checkpoint?.close();
    }
  }

  private runFrom(checkpoint: CheckpointKeeper | undefined): void {
    const { options, entry, history } = this;
    const { estimator, options: estimatorOptions } = estimatorOf(options.estimator);
    const asked = { ...estimatorOptions, gradients: options.gradients };
    const estimate = estimator.start(this.model, entry, asked, this.parameters, this.outlook());
    const plateau = options.stopAtPlateau === undefined ? undefined : new Plateau(options.stopAtPlateau);
    const { step: first = 0, stopped = false } = checkpoint?.resumed ?? {};
    if (checkpoint?.resumed !== undefined) this.restore(checkpoint.resumed, estimate, plateau);
    const checks = new GradientChecks(options.checkGradients && first === 0 && !estimator.teachesSome);
    const state = (step: number, stopped: boolean) => this.state(step, stopped, estimate, plateau);
    const ranks = estimate.together && new RankSteps(estimate, estimate.together, this.parameters, this.table);
    const log = options.logProgress ? new ProgressLog(options, first) : undefined;
    const reports = new Reports(estimator.objective, first, options);
    /** False if it is to be the last. */
    const advance = (step: number): boolean => {
      const result = this.attempt(estimate, ranks, step);
      if (result === undefined) return true;
      const { objective, norm } = result;
      history.push(objective);
      checks.check(this.parameters);
      this.update(step, norm);
      log?.add(step, objective);
      const isLast =
        this.told(options.onStep, step, objective) || plateau?.reached(estimator.larger ? objective : -objective);
      // The end of the step: listeners may end the run here.
      reports.step(step, objective, norm);
      ranks?.compare(step, isLast || step === options.steps - 1);
      // Ranks end together: all have heard of a signal to one of them.
      const stop = ranks === undefined ? 0 : (machine.run.team?.stop ?? 0);
      if (stop !== 0) throw new Interrupted(stop);
      return !isLast;
    };
    let step = first;
    const advanceAll = (): void => {
      let goesOn = !stopped;
      while (goesOn && step < options.steps) {
        goesOn = advance(step++);
        if (goesOn && step < options.steps) checkpoint?.afterStep(step, () => state(step, false));
      }
      if (step > first) checkpoint?.save(state(step, !goesOn));
    };
    try {
      forAWhile(engineMode, { bySize: engineMode.bySize || checkpoint !== undefined }, advanceAll);
    } catch (thrown) {
      if (thrown instanceof Interrupted && checkpoint !== undefined) {
        checkpoint.save(state(step, false));
        thrown.kept.push(checkpoint.words(step));
      }
      throw thrown;
    } finally {
      reports.finish();
    }
    estimate.end?.();
    checks.end();
    warnOfUnusedValues();
    const guide = askedGuide();
    if (guide !== null && step > 0) {
      completeGuide(guide, this.table, this.parameters, () => {
        const again = estimator.start(this.model, entry, asked, this.parameters, this.outlook());
        // A rank that has some of the data does not know the choices of the others.
        if (again.together !== undefined) again.together.division.mode = 'nothing';
        const others = again.together && new RankSteps(again, again.together, this.parameters, this.table);
        return (draw) => others?.estimate(draw) ?? this.estimateAlone(again, draw);
      });
    }
    if (options.steps > 0 && this.table.size === 0) {
      machine.run.warn(
        'Optimize has met no parameters, so there was nothing to improve. Declare some with param or modelParam.',
      );
    }
    this.consult('onFinish', () => options.onFinish({ history }));
  }

  private openCheckpoint(): CheckpointKeeper | undefined {
    const { options, entry } = this;
    if (options.checkpoint !== undefined) {
      return openCheckpoint(options.checkpoint, () => identityOf(entry, options), options.steps);
    }
    if (machine.run.resume) machine.run.warn('--resume: an Optimize without the option checkpoint starts anew.');
    return undefined;
  }

  private state(step: number, stopped: boolean, estimate: Steps, plateau: Plateau | undefined): OptimizationState {
    return {
      step,
      stopped,
      skipped: this.skipped,
      history: this.history,
      params: this.table.toObject(),
      memories: this.parameters.memories(),
      plateau: plateau?.memory ?? [],
      estimator: estimate.memory?.save() ?? new Map(),
    };
  }

  private restore(state: OptimizationState, estimate: Steps, plateau: Plateau | undefined): void {
    this.skipped = state.skipped;
    for (const objective of state.history) this.history.push(objective);
    for (const [name, tensor] of Object.entries(state.params)) this.table.set(name, tensor);
    this.parameters.restore(state.memories);
    if (plateau !== undefined && state.plateau.length > 0) plateau.memory = state.plateau;
    estimate.memory?.restore(state.estimator);
  }

  /** Estimates the objective, and the gradients into the packed parameters; nothing if the step is bad and may be skipped. */
  private attempt(
    estimate: Steps,
    ranks: RankSteps | undefined,
    step: number,
  ): { objective: number; norm: number } | undefined {
    try {
      const objective = ranks?.estimate(step) ?? this.estimateAlone(estimate, step);
      const norm = ranks?.norm() ?? this.parameters.norm();
      if (!Number.isFinite(norm)) throw badGradient(this.parameters);
      return { objective, norm };
    } catch (thrown) {
      if (!(thrown instanceof BadStep)) throw thrown;
      if (++this.skipped > this.options.skipBadSteps) {
        // The rank that has found it tells of it.
        if (thrown instanceof BadStepElsewhere) machine.run.team?.sum('end', new Float64Array(0));
        throw thrown;
      }
      machine.run.warn(`Step ${step} is skipped: ${thrown.message}`);
      return undefined;
    }
  }

  private estimateAlone(estimate: Steps, step: number): number {
    const found = estimate(step);
    if (found.gradients !== 'packed') this.parameters.take(found.gradients);
    return found.objective;
  }

  private outlook(): Outlook {
    const { onStep, optMethod, steps } = this.options;
    // A step size may be a function, which is called between steps too.
    const functions = Object.values(optMethod.options).filter((option) => typeof option === 'function');
    return { steady: functions.every(isQuiet) && (onStep === noCallback || isQuiet(onStep)), steps };
  }

  /** Whether `onStep` wants it to stop. In WebPPL's language any last expression of its is what it returns. */
  private told(onStep: OptimizeOptions['onStep'], step: number, objective: number): boolean {
    if (onStep === noCallback) return false;
    const answer = this.consult('onStep', () => onStep(step, objective));
    if (answer && answer !== true) {
      machine.run.warn(
        `Optimize stops after step ${step}, because onStep returned ${describe(answer)}. ` +
          'It goes on where onStep returns false or nothing.',
      );
    }
    return Boolean(answer);
  }

  /** Calls a function of the program, for which `getParams` gives the parameters being optimised. */
  private consult(name: string, callback: () => unknown): unknown {
    return withParameters(this.table, () => withoutChoices(name, this.entry.address.at(name), callback, undefined));
  }

  /** Moves the parameters; `norm` is that of the gradient before clipping. */
  private update(step: number, norm: number): void {
    const { clip } = this.options;
    const scale = clip !== false && norm > clip ? clip / norm : 1;
    this.parameters.move(step, this.movement.stepSize(step), scale);
  }
}
