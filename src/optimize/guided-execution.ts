/** The handler of objectives: choices are drawn from guides, or are given, and everything is recorded. */
import { followed, knownElsewhere, requiredGuide } from '../guides/guide-of.ts';
import { scoreOf } from '../lanes/draws.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { nestedIterations } from '../lanes/nested.ts';
import { recording } from '../lanes/recording.ts';
import { repeated } from '../lanes/repeated.ts';
import { type Iteration, runTogether } from '../lanes/together.ts';
import { vectorInLanes } from '../lanes/value.ts';
import { type Address, nowhere } from '../runtime/address.ts';
import type {
  DataGiven,
  DataPass,
  Distribution,
  Handler,
  LaneParameters,
  SampleOptions,
  SummedStates,
} from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Reason } from '../runtime/reasons.ts';
import { notDivided, OneByOne } from '../runtime/signals.ts';
import type { Share } from '../runtime/team.ts';
import type { Node } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { batchSizeNow, type Chosen, choosingOf, chosenData, type Pass, shareOfChosen } from './chosen-data.ts';
import { type Body, indicesOf, passEvent, passIterations, shareOfPass } from './divided-pass.ts';
import { elsewhere } from './division.ts';
import { FoldedStates, type StatesRun } from './folded-states.ts';
import { LaneRuns } from './lane-runs.ts';
import { notOpen } from './open-steps.ts';
import type { PassEvent, Strand } from './record.ts';
import { refuseMinibatch } from './sampled/refusals.ts';
import { Replicates } from './sampled/replicates.ts';
import { drawForGuide, drawsFrom } from './site-draws.ts';
import { inComponents } from './sites/components.ts';
import { reasonFor, ruleFor } from './sites/rules.ts';
import { sampledRule } from './sites/sampled.ts';
import type { StepContext } from './step-context.ts';
import type { VariationPlan } from './variation-plan.ts';
import { ASKED_FOR, executionsOf, obstructMinibatch, oneDatumAtATime, unread } from './varied-data.ts';
import { VariedUnit } from './varied-unit.ts';

export class GuidedExecution extends LaneRuns implements Handler {
  readonly name = 'Optimize';
  readonly lifted = true;
  readonly guided = true;
  readonly auxiliary = drawForGuide;
  private readonly replicates: Replicates | null;
  /** Whether choices and data are made up, so that what is observed says nothing. */
  readonly synthesises: boolean;

  /** `number` says which execution of the step it is, if it is one alone. */
  constructor(context: StepContext, number = 0) {
    super(context, number);
    const { sampling } = context.setting;
    this.replicates = sampling?.perDatum ? new Replicates(sampling.count, this) : null;
    this.synthesises = this.given !== null;
  }

  /** Executes the model several times side by side: these executions, with a stream for each; gives what each group of them did. */
  executions(model: () => unknown, numbers: readonly number[], streamOf: (k: number) => RandomStream): Strand[] {
    const strands: Strand[] = [];
    const plan = this.context.found.variations.at(null);
    const iterations = executionsOf(numbers, plan.count, streamOf);
    const look = (reason: string): never => {
      throw new OneByOne('value', reason);
    };
    const following = { ...this.into(strands, { plan, base: null }), look };
    const { disagreements } = this.context.found;
    const { groups } = runTogether(iterations, model, following, disagreements.at(machine.address));
    if (this.mayBranch) disagreements.ran(machine.address, groups, strands);
    return strands;
  }

  param(name: string, value: Tensor, scalar: boolean): Node {
    return this.context.leaves.leaf(name, value, scalar);
  }

  laneParam(parameters: LaneParameters, scalar: boolean): Node {
    return this.context.leaves.laneLeaf(parameters, scalar, currentLanes()!);
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, at: Address): V {
    const lanes = currentLanes();
    const address = this.encounters?.choice(at, lanes!) ?? at.choice(machine.execution);
    const given = this.given?.choice(address, target);
    if (given?.counts === false) return knownElsewhere(target, options, address, given.value as V);
    const { policy, sampling } = this.context.setting;
    const written = requiredGuide(target, options, address) as Distribution<unknown>;
    const stream = machine.stream.begin();
    const site = {
      address,
      target: target as Distribution<unknown>,
      options: options as SampleOptions<unknown> | undefined,
      guide: policy.gradients === 'paper' ? written : inComponents(written),
      ...drawsFrom(stream),
      policy,
      variation: this.unit?.site(address, lanes),
      given,
    };
    const rule = this.isSampled ? sampledRule(site, sampling!.kind) : ruleFor(site);
    const drawn = rule.draw(site);
    if (drawn.relaxed !== undefined) this.relaxed.push(drawn.relaxed);
    followed(site.guide)?.chosen(drawn.value);
    this.strand.events.push({
      kind: 'choice',
      address,
      target: site.target,
      guide: site.guide,
      automatic: options?.guide === undefined,
      rule,
      why: machine.run.engine?.explainGuides ? reasonFor(site, rule, sampling !== null) : undefined,
      datum: rule.baseline === 'learned' ? this.unit?.datum : undefined,
      ...drawn,
    });
    return drawn.value as V;
  }

  factor(score: number, address: Address): void {
    if (this.given === null) this.strand.events.push({ kind: 'factor', address, score });
  }

  observe<V>(distribution: Distribution<V>, value: V, address: Address): void {
    if (this.given !== null) return;
    const of = distribution as Distribution<unknown>;
    const score = scoreOf(of, vectorInLanes(value) ?? value);
    this.strand.events.push({ kind: 'factor', address, score, observed: { distribution: of, value } });
  }

  mapData(length: number, asked: number | undefined, address: Address, given?: DataGiven): DataPass {
    this.context.meet(address, given?.data, this.unit?.isDatum === true);
    this.context.found.variations.meets(this.unit, length, asked ?? length, address);
    if (this.isSampled && asked !== undefined && asked < length) refuseMinibatch(address);
    const pass = this.pass(length, asked, address);
    return this.replicates === null || this.replicates.inside ? pass : this.replicates.around(pass, address);
  }

  /** Whether what is met now is part of one of several samples. */
  private get isSampled(): boolean {
    return this.replicates?.inside ?? this.context.setting.sampling !== null;
  }

  private pass(length: number, asked: number | undefined, address: Address): DataPass {
    const outer = this.strand;
    const batchSize = batchSizeNow(asked, this.given);
    const pass = { address, length, batchSize };
    // A sample is weighed as a whole: data of its datum are all on the rank that has the datum.
    const isWhole = this.given !== null || this.replicates?.inside === true;
    const share = isWhole ? undefined : shareOfPass(this.context, pass, outer, this.root);
    const counts = batchSize === undefined ? (this.given?.countOfEach(address) ?? 1) : length / batchSize;
    const event = passEvent(this.context, address, counts, share);
    const inLanes = this.chosenInLanes(event, pass, share);
    if (inLanes !== undefined) return inLanes;
    const { context, unit } = this;
    const plan = context.found.variations.at(address);
    const ofAll = chosenData(pass, context, this.given);
    const chosen = ofAll === undefined || share === undefined ? ofAll : shareOfChosen(ofAll, share);
    const some = chosen?.now.indices ?? (share && indicesOf(share));
    // (Results of all data are there, whatever stands for these.)
    const indices = some?.length === length ? undefined : some;
    outer.events.push(event);
    let ended: ((count: number) => void) | undefined;
    let place = 0;
    return {
      indices,
      datum: this.given === null || chosen === undefined ? undefined : () => chosen.now.data![place++],
      withheld: share && elsewhere,
      together: (data, body) => {
        const results = this.passTogether(event, data, chosen, body as never, share);
        // One after the other, data may change what later ones see.
        if (results === undefined && share !== undefined && !machine.program.stateless) throw notDivided;
        return results as never;
      },
      enter: (datum) => {
        const reason = context.found.oneByOne.get(address);
        if (reason !== undefined) ended ??= context.setting.report.alone(address, reason);
        // Parameters of single data of this minibatch do not belong to later steps.
        if (chosen !== undefined) obstructMinibatch();
        this.strand = { datum, events: [] };
        const source = context.datumOf(address, null, datum, unit?.datum);
        this.unit = new VariedUnit(plan, currentLanes(), null, address.index(datum), source);
        this.asked.entered(this.strand, outer, event);
        event.items.push(this.strand);
      },
      leave: () => {
        this.strand = outer;
        this.unit = unit;
      },
      finish: () => ended?.(event.items.length),
    };
  }

  summedStates(init: unknown): SummedStates | undefined {
    if (this.context.setting.policy.gradients !== 'automatic' || this.given !== null || this.isSampled) return;
    if (this.unit === null || machine.address === nowhere) return;
    const plan = this.context.found.variations.ofStates(machine.address);
    if (plan.off !== null) return;
    if (this.unit.isDatum && this.unit.plan.isOfMany) plan.isOf(Infinity);
    if (recording.current?.isOpen) throw notOpen(new OneByOne('choices', 'states of foldData are summed'));
    return new FoldedStates(this.statesOf(plan), [init], null);
  }

  private statesOf(plan: VariationPlan): StatesRun {
    const refused = new Map<Address, Reason>();
    return {
      plan,
      run: (event, iterations, step) =>
        this.run(event, iterations, step, refused, false, plan, event.address) ??
        plan.turnOff(refused.get(event.address)!),
      push: (event) => {
        this.sumsStates ||= event.kind === 'choice';
        this.strand.events.push(event);
      },
    };
  }

  get here(): Strand {
    this.replicates?.isHome(this.strand);
    return this.strand;
  }

  remembering<T>(home: object | undefined, work: () => T): T {
    this.replicates?.asks(home);
    const { unit, strand: asking } = this;
    return this.asked.remembering(
      asking,
      home,
      () => this.outside(work),
      (strand) => {
        this.strand = strand;
        // A choice inside `mem` is drawn once, whichever of the values tried side by side asks for it.
        if (strand !== asking && unit !== null && unit.plan.count > 1) unit.plan.turnOff(ASKED_FOR);
        this.unit = strand === asking ? unit : null;
      },
    );
  }

  /** A pass within lanes, each of which looks at data of its own choice; undefined if they look at all. */
  private chosenInLanes(event: PassEvent, pass: Pass, share: Share | undefined): DataPass | undefined {
    const { length, batchSize } = pass;
    const lanes = currentLanes();
    if (lanes === null) return undefined;
    const { oneByOne } = this.context.found;
    const given = this.given?.passInLanes(event.address, length, lanes);
    if (given === undefined && (batchSize === undefined || batchSize >= length)) return undefined;
    const choosing = given?.choosing ?? choosingOf(pass, lanes, this.context, share);
    const refuse = (): never => {
      throw new OneByOne('parameters', 'each of them chooses a minibatch of its own');
    };
    this.strand.events.push(event);
    return {
      // (The results of a minibatch are none.)
      indices: given?.areAll === true ? undefined : [],
      withheld: share && elsewhere,
      together: (data, body) => {
        const iterations = oneByOne.has(event.address)
          ? undefined
          : nestedIterations(given?.data ?? data, choosing, given && data);
        const results = iterations && this.dataTogether(event, { ...iterations, sole: true }, body as never);
        return (results as never) ?? refuse();
      },
      enter: refuse,
      leave: refuse,
      finish: refuse,
    };
  }

  /** All items of a pass side by side; undefined if they have to be run one by one. */
  private passTogether(
    event: PassEvent,
    data: ArrayLike<unknown>,
    chosen: Chosen | undefined,
    body: Body,
    share: Share | undefined,
  ): unknown[] | undefined {
    const { found } = this.context;
    const plan = found.variations.at(event.address);
    const varies = plan.count > 1;
    // (Lanes of values that are tried are there even where data run one by one.)
    // Where they are, values of data are tried side by side or not at all, whatever that costs.
    const isWithin = currentLanes() !== null;
    if ((isWithin && varies) || ((isWithin || !this.context.apart) && !found.isOneByOne(event.address))) {
      const isPlain = isWithin && chosen === undefined && !this.isSampled;
      const padded = isPlain ? this.padded(data, event.address) : undefined;
      const iterations = passIterations(padded?.items ?? data, chosen, share, this.context);
      // One datum gains nothing by it, unless later steps look at another.
      const least = chosen === undefined && !varies ? 2 : 1;
      const count = iterations?.indices.length ?? -1;
      if (count === 0) return undefined;
      if (iterations !== undefined && count >= least) {
        const results = this.dataTogether(event, iterations, padded?.body(body) ?? body);
        if (results !== undefined) return padded?.results ?? results;
      }
    }
    if (!varies) return undefined;
    if (share !== undefined) throw notDivided;
    return oneDatumAtATime(data, chosen, plan, (all) => {
      const refused = new Map<Address, Reason>();
      if (this.run(event, all, body, refused, false, plan) !== undefined) return undefined;
      // (Without them data may well run side by side.)
      found.tryAgain(event.address);
      return refused.get(event.address);
    });
  }

  /** Data side by side, and for each of them the values of choices that are tried. */
  private dataTogether(event: PassEvent, iterations: Iteration, body: Body): unknown[] | undefined {
    const { oneByOne, variations, disagreements } = this.context.found;
    const plan = variations.at(event.address);
    // Within lanes, values of data are tried so or not at all.
    const sole = plan.count > 1 && currentLanes() !== null ? true : iterations.sole;
    const outcome = this.run(event, { ...repeated(iterations, plan.count), sole }, body, oneByOne, false, plan);
    // What was found out about all data says nothing of values that are tried for one of them.
    if (outcome === undefined) return disagreements.forget(event.address);
    if (currentLanes() === null) disagreements.worked(event.address, outcome, iterations, plan.count > 1);
    this.context.setting.report.ranPass(event, 'mapData', iterations.indices.length, outcome.groups);
    return plan.count === 1 ? outcome.results() : unread(plan);
  }
}
