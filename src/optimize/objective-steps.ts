/**
 * The steps of an optimisation, which are the same for every objective, and what they remember of each other: executions side
 * by side where that works, a recording of them, then compiled steps. Objectives differ in what a step starts from
 * (`step-draws.ts`) and in the rules for choices (`sites/`).
 *
 * A step is executed under a handler (`guided-execution.ts`), which leaves a record of choices and factors (`record.ts`).
 * `weights.ts` computes from it what each choice is weighed by, and `surrogate.ts` the quantity whose gradient is the
 * estimate. Its mean is held to exact gradients by tests (`test/optimize/exact-elbo.ts`).
 */
import type { Model } from '../inference/algorithm.ts';
import { Rerun } from '../lanes/rerun.ts';
import { Ways } from '../lanes/ways.ts';
import type { Entry } from '../runtime/execution.ts';
import { reasonOf, recovering } from '../runtime/faults.ts';
import { machine } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import type { Share } from '../runtime/team.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';
import { engineMode, forAWhile } from '../tensor/mode.ts';
import type { Data } from '../tensor/node.ts';
import { explainObjective } from './bad-terms.ts';
import { withCare } from './careful-indices.ts';
import { CompiledStep, type StepValues } from './compiled-step.ts';
import { CompiledSteps } from './compiled-steps.ts';
import { type Division, divisionOf } from './division.ts';
import { ElboBaselines } from './elbo-baselines.ts';
import type { Estimate, Findings, Outlook } from './estimator.ts';
import { Executions } from './executions.ts';
import { BatchingReport } from './explain-batching.ts';
import { explainGuides } from './explain-guides.ts';
import { dumpGraph } from './graph-text.ts';
import { drawInstead, triesImpossible } from './impossible-values.ts';
import { LeafTable } from './leaves.ts';
import { byName, evaluated } from './named-gradients.ts';
import { OneLane } from './one-lane.ts';
import { NotOpen, OpenSteps } from './open-steps.ts';
import type { PackedParameters } from './packed-parameters.ts';
import { MOST_ATTEMPTS, ProgramFindings } from './program-findings.ts';
import { type Quantities, quantitiesOf, type Recorded } from './quantities.ts';
import type { Strand } from './record.ts';
import { repeatedObjective } from './repeated-step.ts';
import type { Sampling } from './sampled/objective.ts';
import { SampleScope } from './sampled/scope.ts';
import type { GradientsOption } from './sites/rule.ts';
import { apartAtFirst, BEFORE_CHECKPOINT, FAULT, ONE_SAMPLE, StepContext, WATCHED } from './step-context.ts';
import type { StepDraws } from './step-draws.ts';
import type { StepOptions } from './step-options.ts';
import type { Weighted } from './surrogate.ts';
import { takeApart } from './take-apart.ts';
import { Revaried } from './variation-plan.ts';
import { tellWeights } from './weights-report.ts';

/** The names in a checkpoint of marks: samples are executed one by one; executions are what is sampled several times. */
const APART = 'samples apart';
const WHOLE = 'samples of executions';

export class ObjectiveSteps implements Findings {
  readonly baselines: ElboBaselines;
  private found: ProgramFindings;
  private readonly report: BatchingReport;
  private readonly gradients: GradientsOption;
  private readonly ways: Ways;
  private readonly openSteps: OpenSteps;
  private readonly compiled = new CompiledSteps();
  private readonly oneLane: OneLane;
  /** Why the samples of a step are executed one by one, if they are. */
  private samplesApart: Reason | null;
  /** What is sampled several times, if anything is. */
  private readonly scope: SampleScope | null;
  readonly division: Division | null;
  /** Whether steps may be recorded for all ways that lanes take. */
  private readonly maySuitOpen: boolean;
  /** What the last step started from that was no repetition, if it can be repeated. */
  private lastDraws: StepDraws | null = null;
  private dividedBy: Division['mode'] | undefined;
  /** What had been found out about the program when ranks last agreed on it. */
  private agreed: { readonly numbers: ReadonlyMap<string, number>; readonly mark: number };

  constructor(
    private readonly model: Model<unknown>,
    readonly entry: Entry,
    /** What a step starts from; this is all in which objectives differ, besides the rules for choices (`sites/`). */
    private readonly drawsOf: (step: number, executions: Share) => StepDraws,
    private readonly options: StepOptions,
    private readonly parameters: PackedParameters,
    private readonly outlook: Outlook,
    /** For objectives that weigh several samples against each other; `options.samples` is then 1. */
    private readonly sampling: Sampling | null = null,
  ) {
    // Samples that are weighed against each other have rules of their own.
    this.gradients = sampling === null ? (options.gradients ?? 'paper') : 'paper';
    this.baselines = new ElboBaselines(options.avgBaselineDecay);
    this.ways = new Ways(entry.address);
    this.openSteps = new OpenSteps(this.ways);
    this.found = this.nothingFound();
    this.division = divisionOf(options, sampling !== null);
    this.scope = sampling === null ? null : new SampleScope(sampling);
    this.maySuitOpen = outlook.steady && this.division === null;
    this.samplesApart = apartAtFirst(this.samples);
    this.report = new BatchingReport(entry.address);
    this.oneLane = new OneLane(entry.address, this.openSteps, this.compiled);
    this.agreed = { numbers: this.foundNow(), mark: 0 };
  }

  /** The executions of a step that are made here. */
  private get samples(): number {
    return this.scope?.executions ?? this.counted;
  }

  /** The executions that an estimate is the mean of. */
  private get counted(): number {
    return this.division?.executions.count ?? this.options.samples;
  }

  /** What a step starts from, for the executions that are made here. */
  private draws(step: number): StepDraws {
    if (this.dividedBy !== this.division?.mode) {
      // Steps compiled before have the share of another division.
      this.compiled.clear();
      this.dividedBy = this.division?.mode;
      if (this.samples === 1) this.samplesApart ??= ONE_SAMPLE;
    }
    const share = this.division?.executions ?? { first: 0, count: this.options.samples };
    const draws = this.drawsOf(step, share);
    this.lastDraws = this.scope === null && this.division === null && !this.options.debugWeights ? draws : null;
    return share.first === 0 ? draws : { ...draws, streamOf: (k) => draws.streamOf(share.first + k) };
  }

  estimate(step: number): Estimate {
    const objective = this.lastDraws && repeatedObjective(this.compiled, this.lastDraws);
    const { declared } = this.parameters;
    const now = (): Estimate => this.estimateNow(step);
    if (objective == null) return this.scope?.settling(now, () => this.widened(declared), this.division) ?? now();
    this.report.step(true, null);
    return { objective, gradients: 'packed' };
  }

  /** Samples are of whole executions from now on. Parameters beyond this number were declared by executions that were given up. */
  private readonly widened = (declared = this.parameters.declared): void => {
    this.parameters.withdrawSince(declared);
    this.compiled.clear();
    this.samplesApart = apartAtFirst(this.samples);
  };

  private estimateNow(step: number): Estimate {
    const { declared } = this.parameters;
    const again = (): Estimate => {
      this.parameters.withdrawSince(declared);
      return this.estimateNow(step);
    };
    const attempts = { attempt: () => this.attemptSafely(step), again, alone: () => this.alone(this.draws(step)) };
    const estimate = (): Estimate => withCare(this.found, this.compiled, attempts);
    return forAWhile(engineMode, { growing: this.found.disagreements.branching }, estimate);
  }

  private attemptSafely(step: number): Estimate {
    const attempt = (): Estimate => this.attempt(step, this.draws(step));
    if (this.division !== null) return attempt();
    return recovering(attempt, () => {
      this.compiled.clear();
      this.found.attempts = MOST_ATTEMPTS;
      this.samplesApart ??= FAULT;
      return attempt();
    });
  }

  /** Told once after the last step. */
  end(): void {
    this.report.tell(this.samples, this.samplesApart, this.found.loops, this.found.variations.refusals());
  }

  /** What later steps need besides the parameters: those that are resumed must round, and so run, as they would have. */
  save(): ReadonlyMap<string, number> {
    return new Map([...this.baselines.save(this.entry.address), ...this.foundNow(), ...this.openSteps.save()]);
  }

  restore(numbers: ReadonlyMap<string, number>): void {
    const others = this.restoreFound(numbers);
    this.openSteps.restore(others);
    this.baselines.restore(others, this.entry.address);
    this.agree();
  }

  private nothingFound(): ProgramFindings {
    return new ProgramFindings(this.entry.address, this.outlook.steady ? 0 : MOST_ATTEMPTS);
  }

  private foundNow(): Map<string, number> {
    // (Whether there is one depends on the number of ranks.)
    const areApart = this.samplesApart !== null && this.samplesApart !== ONE_SAMPLE;
    const numbers = new Map([...this.found.save(), [APART, areApart ? 1 : 0] as const]);
    return this.scope === null ? numbers : numbers.set(WHOLE, this.scope.saved);
  }

  /** Gives the numbers that are of something else. */
  private restoreFound(numbers: ReadonlyMap<string, number>): Map<string, number> {
    this.scope?.restore(numbers.get(WHOLE), this.widened);
    if (numbers.get(APART) === 1) this.samplesApart ??= BEFORE_CHECKPOINT;
    const others = new Map([...numbers].filter(([name]) => name !== APART && name !== WHOLE));
    this.found.restore(others);
    return others;
  }

  get areNew(): boolean {
    return this.found.variations.mark !== this.agreed.mark;
  }

  agree(): void {
    this.agreed = { numbers: this.foundNow(), mark: this.found.variations.mark };
  }

  goBack(): void {
    this.compiled.clear();
    this.found = this.nothingFound();
    this.samplesApart = apartAtFirst(this.samples);
    this.restoreFound(this.agreed.numbers);
    this.agree();
  }

  /** By a compiled step if one fits, else by running the program, from which a step may be compiled. */
  private attempt(step: number, draws: StepDraws): Estimate {
    const { report, openSteps } = this;
    // (Twice, if what was recorded before a checkpoint does not fit.)
    const byOpen = (): ReturnType<CompiledSteps['attempt']> => this.byOpenPlan(step, draws);
    const done = this.byPlan(draws) ?? (openSteps.isAwaited ? (byOpen() ?? byOpen()) : byOpen());
    if (done !== undefined && !triesImpossible(done.step.weighted, done.values.weights)) {
      report.step(true, null);
      return this.finish(step, done.step.weighted, done.values, draws, 'packed');
    }
    const recorded = this.execute(step, draws);
    if (this.found.variations.haveFewer()) this.openSteps.recordAgain(this.compiled);
    if (this.found.disagreements.branching) openSteps.wasExecuted();
    const { nodes, weighted } = this.quantities(recorded);
    const compiles = this.compile(step, recorded, { nodes, weighted });
    if (!compiles && this.division === null) this.found.executed(step, openSteps.isHopeless, report);
    if (!compiles && this.oneLane.isGivenUp(this.found, report)) this.samplesApart = ONE_SAMPLE;
    report.step(false, this.outlook.steady ? (openSteps.refusal ?? recorded.rerun?.obstacle ?? null) : WATCHED);
    const again = compiles ? this.byPlan(draws)?.values : undefined;
    const values = again ?? evaluated(nodes);
    const objective = draws.objective(Number(values.cost));
    const isBad = !Number.isFinite(objective) || triesImpossible(weighted, values.weights);
    if (isBad && drawInstead(step, recorded.strands, this.compiled)) return this.attempt(step, draws);
    if (step === 0 && machine.run.engine?.explainGuides) explainGuides(recorded.strands);
    if (!compiles) takeApart(recorded.strands);
    if (!Number.isFinite(objective)) explainObjective(objective, this.alone(draws));
    const gradients = again === undefined ? byName(recorded.leaves, values.gradients) : 'packed';
    return this.finish(step, weighted, values, draws, gradients);
  }

  /** The step by one that was compiled; undefined if none fits, or the plan fails: then no more are compiled. */
  private byPlan(draws: StepDraws): ReturnType<CompiledSteps['attempt']> {
    try {
      return this.compiled.attempt(draws);
    } catch (thrown) {
      if (thrown instanceof BadIndex) throw thrown;
      this.compiled.clear();
      this.found.attempts = MOST_ATTEMPTS;
      this.report.step(false, reasonOf(thrown));
      return undefined;
    }
  }

  /** The step by one that is recorded now for all ways that lanes have taken so far; undefined if it is not time, or does not work. */
  private byOpenPlan(step: number, draws: StepDraws): ReturnType<CompiledSteps['attempt']> {
    const { openSteps, samples } = this;
    if (!this.maySuitOpen || step === 0 || !openSteps.isDue || !this.found.disagreements.branching) return undefined;
    // Samples one by one are several executions, each with lanes of its own.
    if (samples > 1 && this.samplesApart !== null) return undefined;
    const record = (): Recorded => {
      const room = this.room(draws, new Rerun(!engineMode.bySize, true));
      const count = this.samplesApart === null ? samples : 'one outside';
      const open = (): Strand[] => room.executions.open(count, this.context(room, draws, false));
      // Lanes that do not take a side are recorded on it: what choices they come to says nothing of the step.
      const recorded = { ...room, strands: this.found.variations.keeping(open) };
      return this.scope?.within(recorded, this.entry.address) ?? recorded;
    };
    const { declared } = this.parameters;
    const made = openSteps.recorded(record, (recorded) => this.compiledFrom(recorded));
    if (made !== undefined) this.compiled.add(made);
    else this.parameters.withdrawSince(declared);
    if (openSteps.isRefused) this.found.disagreements.backToGroups();
    return made && this.byPlan(draws);
  }

  private compiledFrom(recorded: Recorded): CompiledStep {
    const rerun = recorded.rerun!;
    this.oneLane.check(rerun);
    const { nodes, weighted } = this.quantities(recorded);
    // A parameter that no execution of a step meets has no gradient there, which is not one of zero.
    for (const spaces of recorded.leaves.onSides) rerun.takenIn(spaces);
    if (rerun.obstacle !== null) throw new NotOpen(rerun.obstacle);
    return new CompiledStep(nodes, rerun, recorded.leaves, this.parameters, weighted, recorded.later);
  }

  /** The executions of a step, side by side if they can be. */
  private execute(step: number, draws: StepDraws): Recorded {
    // Graphs and explanations speak of single executions, and of single data.
    const apart = step === 0 && (this.options.dumpGraph !== false || machine.run.engine?.explainGuides === true);
    const [{ declared }, { begun, variations }] = [this.parameters, this.found];
    variations.begin();
    let recorded = this.executed(draws, apart);
    while (variations.goesOn()) recorded = this.executed(draws, apart);
    if (this.found.begun > begun + 1) this.parameters.withdrawSince(declared, (name) => recorded.leaves.has(name));
    if (step === 0 && this.options.dumpGraph !== false) dumpGraph(recorded.strands[0], this.options.dumpGraph);
    return this.scope?.within(recorded, this.entry.address) ?? recorded;
  }

  /** The executions, with the values of choices that are tried now. */
  private executed(draws: StepDraws, apart: boolean): Recorded {
    const [plan, each] = [this.found.variations.at(null), Array.from({ length: this.samples }, (_, k) => k)];
    for (;;) {
      this.found.begin();
      const room = this.room(draws, this.rerunOf(apart));
      const alone = (k: number): Strand[] => room.executions.one(k, this.context(room, draws, apart && k === 0));
      const isTried = plan.off === null;
      try {
        const strands = apart || this.samplesApart !== null ? each.flatMap(alone) : this.sideBySide(room, draws);
        if (strands !== undefined) return { ...room, strands };
      } catch (thrown) {
        if (!(thrown instanceof Revaried)) throw thrown;
        // Without values that are tried, executions may well run side by side.
        if (isTried && plan.off !== null) this.samplesApart = apartAtFirst(this.samples);
      }
    }
  }

  /** The samples of a step side by side; undefined if that does not work, or there is another way to try. */
  private sideBySide(room: Omit<Recorded, 'strands'>, draws: StepDraws): Strand[] | undefined {
    const found = room.executions.together(this.samples, this.context(room, draws, false));
    this.samplesApart = this.found.apartAfter(found, this.samples, this.entry.address);
    return found instanceof Reason ? undefined : found;
  }

  /** Room for executions to be recorded in. */
  private room(draws: StepDraws, rerun: Rerun | null): Omit<Recorded, 'strands'> {
    const executions = new Executions(this.model, this.entry, (k) => draws.streamOf(k), rerun);
    return { rerun, leaves: new LeafTable(), later: { draws: null }, executions };
  }

  /** What is noted of executions; null if no step follows (from a checkpoint some may), or they are to be told of. */
  private rerunOf(apart: boolean): Rerun | null {
    if (apart || (this.outlook.steps === 1 && !engineMode.bySize)) return null;
    // Where checkpoints are kept, what is computed must not depend on the ways taken before.
    const guarding = this.compiled.guarding && !engineMode.bySize;
    return this.found.attempts < MOST_ATTEMPTS ? new Rerun(guarding) : null;
  }

  private context(
    { leaves, later }: Pick<Recorded, 'leaves' | 'later'>,
    draws: StepDraws,
    alone: boolean,
  ): StepContext {
    const { ways, report, scope, division, gradients, options } = this;
    const policy = { gradients, samples: options.samples };
    const setting = { policy, ways, report, sampling: scope?.now ?? null, division };
    return new StepContext(this.found, setting, leaves, draws, alone, later);
  }

  /** The executions of a step, data after data. */
  private alone(draws: StepDraws): Strand[] {
    this.compiled.clear();
    const room = this.room(draws, null);
    const context = this.context(room, draws, true);
    return Array.from({ length: this.samples }, (_, k) => room.executions.one(k, context)).flat();
  }

  private quantities(recorded: Recorded): Quantities {
    const { options, baselines, sampling, counted, division } = this;
    return quantitiesOf(recorded, { options, baselines, sampling, counted, division });
  }

  /** Makes a compiled step of a recording, if that can be run again and pays. */
  private compile(step: number, { rerun, leaves, later }: Recorded, { nodes, weighted }: Quantities): boolean {
    if (rerun === null) return false;
    if (rerun.obstacle !== null) {
      // In the first step, most parameters and choices are met for the first time.
      if (step > 0) this.found.attempts++;
      if (this.maySuitOpen && this.samplesApart === ONE_SAMPLE && this.oneLane.isWorthTrying(rerun, this.found))
        this.samplesApart = null;
      return false;
    }
    if (!this.compiled.isWorthwhile(rerun) || this.found.standsAlone(rerun, this.outlook.steps - step)) return false;
    this.compiled.add(new CompiledStep(nodes, rerun, leaves, this.parameters, weighted, later));
    return true;
  }

  private finish(
    step: number,
    weighted: readonly Weighted[],
    { cost, weights }: StepValues<number | Data>,
    draws: StepDraws,
    gradients: Estimate['gradients'],
  ): Estimate {
    if (this.options.debugWeights) tellWeights(step, weighted, weights);
    return { objective: draws.objective(Number(cost)), gradients, notes: { weighted, weights } };
  }
}
