/** `Optimize`: improves parameters step by step (section 4.4 of the paper, and WebPPL's options). */

import type { Params } from '../guides/given-params.ts';
import { tableOf, withParameters } from '../guides/given-params.ts';
import type { Model } from '../inference/algorithm.ts';
import { modelAndOptions } from '../inference/infer.ts';
import { readOptions } from '../inference/options.ts';
import { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { withoutChoices } from '../runtime/refusal.ts';
import { planning } from '../tensor/plan/cache.ts';
import { Tensor } from '../tensor/tensor.ts';
import { BadStep } from './bad-terms.ts';
import { Checkpoint } from './checkpoint.ts';
import type { OptimizationState } from './checkpoint-format.ts';
import { identityOf } from './checkpoint-identity.ts';
import type { Estimate, Estimator, Steps } from './estimator.ts';
import { estimators } from './estimators.ts';
import { checkFinite, GradientChecks } from './gradient-checks.ts';
import { type OptimizeOptions, optimizeOptions } from './optimize-options.ts';
import { Plateau } from './plateau.ts';
import { ProgressLog } from './progress-log.ts';
import { Reports } from './reports.ts';
import { type Memory, type UpdateRule, updateRules } from './update-rules.ts';

/**
 * Optimises the parameters that the model's execution meets. Returns all of them; without the option `params` they
 * are also those of the run, which `getParams`, guided sampling and the next `Optimize` see.
 */
export function runOptimize(first: unknown, second: unknown): Params {
  const { model, options: given } = modelAndOptions<unknown>('Optimize', first, second);
  const options = readOptions('Optimize', given, optimizeOptions, { apart: ['model'] });
  const table = options.params === undefined ? machine.params : tableOf('Optimize: params', options.params);
  new Optimization(model, options, table).run();
  return table.toObject();
}

/** One optimisation, from the first step to the last. */
export class Optimization {
  private readonly entry: Entry;
  private readonly rule: UpdateRule<object>;
  private readonly memories = new Map<string, Memory>();
  /** Parameters that this optimisation has made its own, so that moving them in place changes nobody else's. */
  private readonly owned = new Set<string>();
  private readonly history: number[] = [];
  private skipped = 0;

  constructor(
    private readonly model: Model<unknown>,
    private readonly options: OptimizeOptions,
    private readonly table: ParameterTable,
  ) {
    this.entry = new Entry(table);
    this.rule = updateRules[options.optMethod.name] as unknown as UpdateRule<object>;
  }

  run(): void {
    const { options, entry, history } = this;
    const { name, options: estimatorOptions } = options.estimator;
    const estimator = estimators[name] as unknown as Estimator<object>;
    const estimate = estimator.start(this.model, entry, estimatorOptions, this.steady());
    const plateau = options.stopAtPlateau === undefined ? undefined : new Plateau(options.stopAtPlateau);
    const checkpoint = this.openCheckpoint();
    const { step: first = 0, stopped = false } = checkpoint?.resumed ?? {};
    if (checkpoint?.resumed !== undefined) this.restore(checkpoint.resumed, estimate, plateau);
    const checks = new GradientChecks(options.checkGradients && first === 0);
    const state = (step: number, stopped: boolean) => this.state(step, stopped, estimate, plateau);
    const log = options.logProgress ? new ProgressLog(options, first) : undefined;
    const reports = new Reports(estimator.objective, options.steps, options);
    /** False if it is to be the last. */
    const advance = (step: number): boolean => {
      const result = this.attempt(estimate, step);
      if (result === undefined) return true;
      const { objective } = result;
      history.push(objective);
      checks.check(result.gradients);
      const norm = this.update(result, step);
      log?.add(step, objective);
      reports.step(step, objective, norm);
      if (this.told(options.onStep, step, objective)) return false;
      return !plateau?.reached(estimator.larger ? objective : -objective);
    };
    const { bySize } = planning;
    planning.bySize ||= checkpoint !== undefined;
    try {
      let step = first;
      let goesOn = !stopped;
      while (goesOn && step < options.steps) {
        goesOn = advance(step++);
        if (goesOn && step < options.steps) checkpoint?.afterStep(step, () => state(step, false));
      }
      if (step > first) checkpoint?.save(state(step, !goesOn));
    } finally {
      planning.bySize = bySize;
      reports.finish();
    }
    estimate.end?.();
    checks.end();
    if (options.steps > 0 && this.table.size === 0) {
      machine.run.warn(
        'Optimize has met no parameters, so there was nothing to improve. Declare some with param or modelParam.',
      );
    }
    this.consult('onFinish', () => options.onFinish({ history }));
  }

  private openCheckpoint(): Checkpoint | undefined {
    const { options, entry } = this;
    if (options.checkpoint !== undefined) {
      return new Checkpoint(options.checkpoint, identityOf(entry, options), options.steps);
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
      memories: this.memories,
      plateau: plateau?.memory ?? [],
      estimator: estimate.memory?.save() ?? new Map(),
    };
  }

  private restore(state: OptimizationState, estimate: Steps, plateau: Plateau | undefined): void {
    this.skipped = state.skipped;
    for (const objective of state.history) this.history.push(objective);
    for (const [name, tensor] of Object.entries(state.params)) {
      this.table.set(name, tensor);
      this.owned.add(name);
    }
    for (const [name, memory] of state.memories) this.memories.set(name, memory);
    if (plateau !== undefined && state.plateau.length > 0) plateau.memory = state.plateau;
    estimate.memory?.restore(state.estimator);
  }

  /** One estimate, or nothing if the step is bad and may be skipped. */
  private attempt(estimate: (step: number) => Estimate, step: number): Estimate | undefined {
    try {
      const result = estimate(step);
      checkFinite(result.gradients);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof BadStep) || ++this.skipped > this.options.skipBadSteps) throw thrown;
      machine.run.warn(`Step ${step} is skipped: ${thrown.message}`);
      return undefined;
    }
  }

  /** Whether nothing but the parameters changes between steps. (Resumed steps must round as the first ones did.) */
  private steady(): boolean {
    const { onStep, checkpoint } = this.options;
    return onStep === optimizeOptions.onStep.standard?.value && checkpoint === undefined;
  }

  private told(onStep: OptimizeOptions['onStep'], step: number, objective: number): boolean {
    return Boolean(this.consult('onStep', () => onStep(step, objective)));
  }

  /** Calls a function of the program, for which `getParams` gives the parameters being optimised. */
  private consult(name: string, callback: () => unknown): unknown {
    return withParameters(this.table, () => withoutChoices(name, this.entry.address.at(name), callback, undefined));
  }

  /** Moves the parameters; returns the norm of the gradient before clipping. */
  private update({ gradients }: Estimate, step: number): number {
    const { weightDecay, clip, optMethod } = this.options;
    let squares = 0;
    for (const [name, gradient] of gradients) {
      const values = this.own(name).data;
      for (let i = 0; i < gradient.length; i++) {
        gradient[i] += weightDecay * values[i];
        squares += gradient[i] * gradient[i];
      }
    }
    const norm = Math.sqrt(squares);
    const scale = clip !== false && norm > clip ? clip / norm : 1;
    for (const [name, gradient] of gradients) {
      const values = this.own(name).data;
      if (scale !== 1) for (let i = 0; i < gradient.length; i++) gradient[i] *= scale;
      this.rule.apply(optMethod.options, step, values, gradient, this.memoryOf(name, values.length));
    }
    return norm;
  }

  private memoryOf(name: string, length: number): Memory {
    let memory = this.memories.get(name);
    if (memory === undefined) {
      memory = Array.from({ length: this.rule.memories }, () => new Float64Array(length));
      this.memories.set(name, memory);
    }
    return memory;
  }

  private own(name: string): Tensor {
    const tensor = this.table.get(name)!;
    if (this.owned.has(name)) return tensor;
    const copy = new Tensor(tensor.dims, Float64Array.from(tensor.data));
    this.table.set(name, copy);
    this.owned.add(name);
    return copy;
  }
}
