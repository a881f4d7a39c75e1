/**
 * The density of a program for HMC and NUTS, over the continuous choices of an execution in coordinates without bounds
 * (`guides/coordinates/`). The program runs once in lifted text; what it recorded is compiled, and serves all chains of an
 * inference (`densities.ts`).
 *
 * - **WebAssembly.** Leapfrog steps around the compiled density are WebAssembly that the build has made
 *   (`trajectory-module.ts`), and so are whole transitions with their random numbers (`tree-module.ts`). Many transitions are
 *   one call if no callback looks at the chain in between.
 * - **Chains in pairs.** The step of a kernel also comes as a generator that asks for one leapfrog step after the other
 *   (`follower.ts`). So two chains share one plan, each with a trajectory of its own (`convoy.ts`, `paired-leapfrog.ts`), and
 *   have the same bits as alone.
 * - **Starting points.** NUTS starts from a draw of Pathfinder (`starting-point.ts`), which follows an ascent by L-BFGS
 *   (`ascent.ts`, `curvature.ts`). The most probable of a few executions would sometimes be near a peak of little mass, or
 *   deep in a funnel.
 *
 * Where executions may differ in structure, or something has to be watched in every step, chains run one after the other, and
 * `--explain-batching` says why.
 */

import { type Continuous, coordinatesOf } from '../../../guides/coordinates/coordinates.ts';
import type { Guard } from '../../../lanes/recordings/recording.ts';
import { want } from '../../../lanes/wanted-leaves.ts';
import type { Address } from '../../../runtime/address.ts';
import { abandon, abandoned, type Entry } from '../../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../../runtime/handler.ts';
import { during, machine } from '../../../runtime/machine.ts';
import type { RandomStream } from '../../../runtime/random.ts';
import { Reason } from '../../../runtime/reasons.ts';
import { input, toNode } from '../../../tensor/leaves.ts';
import type { Data, Node, Value } from '../../../tensor/node.ts';
import * as ops from '../../../tensor/ops.ts';
import type { Model } from '../../algorithm.ts';
import type { KernelWay, SampleColumn } from '../kernel.ts';
import type { LogDensity, Phase } from './density.ts';
import { type Layout, pointAt } from './layout.ts';
import type { PairedLeapfrog } from './paired-leapfrog.ts';
import { Readout } from './readout.ts';
import { GradientRecording } from './recording.ts';
import type { Motion, Transitions } from './transitions.ts';
import type { Trees } from './trees.ts';

const LOOKS_AT_VALUES = new Reason('courses', 'the program looks at values that differ between them');
const LOOKS_AT_NUMBER = new Reason('courses', 'it looks at a number that depends on continuous choices');
const QUICKER_ALONE = new Reason('few', 'many steps of one chain at a time take less');
const SMALL_OR_TENSORS = new Reason('few', 'their density is small, or has tensors in it');

/** Recordings kept per density; programs with more ways through them record again now and then. */
const MOST_RECORDINGS = 32;

/**
 * The log-density of a program's executions over the unconstrained coordinates of its continuous choices, discrete
 * ones held fixed. The program runs in its lifted text once, recording a graph, which is then evaluated at other points
 * without running it again. Where it looked at a value (a branch), that value guards the recording: a point at which it
 * differs belongs to another recording.
 */
export class ProgramDensity<T> implements LogDensity {
  readonly dimension: number;
  private readonly recordings: GradientRecording[] = [];
  private last: GradientRecording | null = null;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    private readonly layout: Layout,
    /** For draws of the program that do not ask the handler: the same at every point. */
    private readonly origin: RandomStream,
    /** Factors after which executions stop. */
    private readonly factorLimit = Infinity,
  ) {
    this.dimension = layout.dimension;
  }

  evaluate(position: Float64Array, gradient: Float64Array): number {
    const recording = this.recordingAt(position);
    if (recording === null) {
      gradient.fill(0);
      return -Infinity;
    }
    recording.writeGradient(gradient);
    return recording.logDensity;
  }

  travel(z: Phase, inverseMass: Float64Array, step: number, count: number): boolean {
    return this.last?.travel(z, inverseMass, step, count) === true;
  }

  /** Whole transitions in compiled code, if no branch can be met on the way; null if there is none. */
  transitions(motion: Motion): Transitions | null {
    return this.last?.isUnconditional === true ? this.last.transitions(motion) : null;
  }

  /** The same of the No-U-Turn sampler, for trajectories of so many doublings at most. */
  trees(maxDepth: number): Trees | null {
    return this.last?.isUnconditional === true ? this.last.trees(maxDepth) : null;
  }

  /** Leapfrog steps of two points at once, for more operations than that, or why there are none. */
  paired(moreThan: number): PairedLeapfrog | Reason {
    const { last } = this;
    if (last?.isUnconditional !== true) return LOOKS_AT_VALUES;
    const { operations } = last;
    if (operations > 0 && operations <= moreThan) return QUICKER_ALONE;
    return last.paired() ?? SMALL_OR_TENSORS;
  }

  /** How it has been computed so far, for `--explain-batching`. */
  get way(): KernelWay {
    if (this.last === null)
      return { how: LOOKS_AT_NUMBER, text: `each step of a trajectory executes the model, because ${LOOKS_AT_NUMBER}` };
    const { length } = this.recordings;
    const each = this.last.isUnconditional
      ? 'one execution'
      : `${length} executions, one for each way through its branches`;
    return { how: 'recording', text: `trajectories compute what was recorded of ${each}` };
  }

  /** Whether `read` is possible here: what the program returns is known without executing it. */
  isReadable(position: Float64Array): boolean {
    return this.recordingAt(position)?.isReadable === true;
  }

  /**
   * What the program returns at a possible position of known density, and the log-probability of its execution. If no branch
   * is ever met, the position may be a part of a longer array.
   */
  read(position: Float64Array, logDensity: number, from = 0): { value: T; score: number } | null {
    const recording = this.last?.isUnconditional ? this.last : this.recordingAt(position);
    if (recording === null || !recording.isReadable) return null;
    const { value, logVolume } = recording.readAt(position, from);
    return { value: value as T, score: logDensity - logVolume };
  }

  /**
   * The same at positions in an array, `stride` apart, each of which is followed by its log-density. Only where no branch is
   * ever met, and the program need not be executed.
   */
  readEach(numbers: Float64Array, from: number, stride: number, count: number, samples: SampleColumn<T>): void {
    (this.last as GradientRecording).readEach(numbers, from, stride, count, samples as SampleColumn<unknown>);
  }

  /** The recording of what the program does at the position, evaluated there; null if that is impossible. */
  private recordingAt(position: Float64Array): GradientRecording | null {
    let recording = this.last;
    while (recording !== null) {
      const tried: GradientRecording = recording;
      if (tried.runAt(position)) {
        this.last = tried;
        return tried;
      }
      const broken = tried.firstBroken();
      recording = this.recordings.find((other) => other.mayFollow(tried, broken)) ?? null;
    }
    return this.record(position);
  }

  private record(position: Float64Array): GradientRecording | null {
    const handler = new RecordingHandler(this.layout, position, this.factorLimit);
    const guards: Guard[] = [];
    const observer = (node: Node): void => {
      guards.push({ node, expected: copyOf(node.data as number | Data) });
    };
    const value = during({ observer }, () => this.entry.execute(handler, this.model, this.origin.again()));
    const complete = handler.stopped || (value !== abandoned && this.factorLimit === Infinity);
    if (!complete || handler.met !== this.layout.sites.length) {
      if (complete || handler.changed) warnOfChange();
      return null;
    }
    const { inputs, total, logVolume } = handler;
    const readout = handler.stopped ? null : Readout.of(value, logVolume, inputs);
    // With discrete choices there is a density, and so a recording, for each combination of their values.
    const only = this.layout.sites.every((site) => site.continuous);
    const recording = new GradientRecording(inputs, toNode(total), guards, readout, only);
    recording.runAt(position);
    // A value that changes with every point would only fill the table.
    if (guards.every(isDecision)) {
      if (this.recordings.length >= MOST_RECORDINGS) this.recordings.shift();
      this.recordings.push(recording);
      this.last = recording;
    } else {
      warnOfNumbers();
      this.last = null;
    }
    return recording;
  }
}

/** Guards that take few values: truth values, and whole numbers, which programs compare or index with. */
function isDecision({ expected }: Guard): boolean {
  return typeof expected === 'number' && (Number.isInteger(expected) || !Number.isFinite(expected));
}

const copyOf = (data: number | Data): number | Data => (typeof data === 'number' ? data : data.slice());

function warnOfChange(): void {
  machine.run.warn(
    'A trajectory came to a point where the program makes other random choices than at its start; such points are ' +
      'rejected. If there are many of them, let the choices that decide over others be discrete.',
  );
}

function warnOfNumbers(): void {
  machine.run.warn(
    'The program looks at a number that depends on continuous choices (it was given to a function that is not part of ' +
      'the program, or printed). Gradients do not pass through there, and the program has to run again for every step ' +
      'of a trajectory: samples are right, but slow and possibly poor.',
  );
}

/** Runs a program in lifted text with each continuous choice an input of the graph. */
class RecordingHandler implements Handler {
  readonly name = 'Hamiltonian Monte Carlo';
  readonly lifted = true;
  total: Value = 0;
  /** The part of the total that is no score, but due to the coordinates. */
  logVolume: Value = 0;
  readonly inputs: Node[] = [];
  /** Choices met so far. */
  met = 0;
  /** Whether a choice was not the one expected. */
  changed = false;
  /** Whether the execution was stopped where it was to stop. */
  stopped = false;
  private factors = 0;

  constructor(
    private readonly layout: Layout,
    private readonly position: Float64Array,
    private readonly factorLimit: number,
  ) {}

  sample<V>(distribution: Distribution<V>, _options: SampleOptions<V> | undefined, address: Address): V {
    const given = distribution as Distribution<unknown>;
    const site = this.layout.siteFor(this.met++, address.choice(machine.execution), given);
    if (site === undefined) {
      this.changed = true;
      throw abandon;
    }
    if (!site.continuous) {
      this.add(given.score(site.value));
      return site.value as V;
    }
    const point = pointAt(site, this.position);
    // An input that has a value: what the program looks at on its way can be computed.
    const leaf = want(input(site.shape));
    leaf.data = typeof point === 'number' ? point : point.data;
    this.inputs.push(leaf);
    const { value, logVolume } = coordinatesOf(given, site.value as Continuous).place(leaf);
    this.add(given.score(value));
    this.add(logVolume);
    this.logVolume = ops.add(this.logVolume, logVolume);
    return value as V;
  }

  factor(score: Value): void {
    this.add(score);
    if (++this.factors < this.factorLimit) return;
    this.stopped = true;
    throw abandon;
  }

  /** Scores are numbers or nodes. */
  private add(score: Value): void {
    if (score === -Infinity) throw abandon;
    this.total = ops.add(this.total, score);
  }
}
