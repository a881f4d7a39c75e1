/** `Optimize`: improves parameters step by step (section 4.4 of the paper, and WebPPL's options). */
import type { Model } from '../inference/algorithm.ts';
import { modelAndOptions } from '../inference/infer.ts';
import { readOptions } from '../inference/options.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { withoutChoices } from '../runtime/refusal.ts';
import { Tensor } from '../tensor/tensor.ts';
import { BadStep } from './bad-terms.ts';
import type { Estimate, Estimator } from './estimator.ts';
import { estimators } from './estimators.ts';
import type { Params } from './front.ts';
import { GradientChecks } from './gradient-checks.ts';
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
  const table = options.params === undefined ? machine.params : tableFrom(options.params);
  new Optimization(model, options, table).run();
  return table.toObject();
}

function tableFrom(params: Readonly<Params>): ParameterTable {
  for (const [name, value] of Object.entries(params)) {
    if (!(value instanceof Tensor)) {
      throw new WaymarkError(
        `Optimize: params must hold tensors by name, as Optimize returns them; '${name}' is none.`,
      );
    }
  }
  return ParameterTable.from(params);
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
    const estimate = estimator.start(this.model, entry, estimatorOptions);
    const checks = new GradientChecks(options.checkGradients);
    const plateau = options.stopAtPlateau === undefined ? undefined : new Plateau(options.stopAtPlateau);
    const log = options.logProgress ? new ProgressLog(options) : undefined;
    const reports = new Reports(estimator.objective, options.steps, options);
    try {
      for (let step = 0; step < options.steps; step++) {
        const result = this.attempt(estimate, step);
        if (result === undefined) continue;
        const { objective } = result;
        history.push(objective);
        checks.check(result.gradients);
        const norm = this.update(result, step);
        log?.add(step, objective);
        reports.step(step, objective, norm);
        if (this.told(options.onStep, step, objective)) break;
        if (plateau?.reached(estimator.larger ? objective : -objective)) break;
      }
    } finally {
      reports.finish();
    }
    withoutChoices('onFinish', entry.address.at('onFinish'), options.onFinish, { history });
  }

  /** One estimate, or nothing if the step is bad and may be skipped. */
  private attempt(estimate: (step: number) => Estimate, step: number): Estimate | undefined {
    try {
      return estimate(step);
    } catch (thrown) {
      if (!(thrown instanceof BadStep) || ++this.skipped > this.options.skipBadSteps) throw thrown;
      machine.run.warn(`Step ${step} is skipped: ${thrown.message}`);
      return undefined;
    }
  }

  private told(onStep: OptimizeOptions['onStep'], step: number, objective: number): boolean {
    return Boolean(withoutChoices('onStep', this.entry.address.at('onStep'), () => onStep(step, objective), undefined));
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
