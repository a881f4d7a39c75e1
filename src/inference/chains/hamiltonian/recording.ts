import { type Guard, Recording } from '../../../lanes/recordings/recording.ts';
import { Walk } from '../../../lanes/recordings/walk.ts';
import { gradient } from '../../../tensor/gradient/gradient.ts';
import { type Data, isScalar, type Node } from '../../../tensor/node.ts';
import { compilePlan, type Plan } from '../../../tensor/plan/compile.ts';
import { forget } from '../../../tensor/plan/forget.ts';
import type { SampleColumn } from '../kernel.ts';
import type { Phase } from './density.ts';
import { isDensity, Leapfrog } from './leapfrog.ts';
import { PairedLeapfrog } from './paired-leapfrog.ts';
import type { Readout } from './readout.ts';
import { type Motion, Transitions } from './transitions.ts';
import { Trees } from './trees.ts';

/** Evaluations after which code is generated; before that the graph is walked, which costs little to begin with. */
const HOT = 25;

/** A log-density as a graph over unconstrained inputs, with its gradient, to be evaluated at many points. */
export class GradientRecording extends Recording<readonly (number | Data)[]> {
  /** The graph, until there is a plan. */
  private graph: { readonly computed: readonly Node[]; readonly inputs: readonly Node[] } | null;
  private plan: Plan | null = null;
  private steps: Leapfrog | null = null;
  private readonly dimension: number;
  private evaluations = 0;
  private readonly given: (number | Data)[];

  constructor(
    inputs: readonly Node[],
    total: Node,
    guards: readonly Guard[],
    /** What the program returned; null if it has to be executed to know. */
    private readonly readout: Readout | null,
    /** Whether there will be no other recordings, so that a plan for this one pays from the start. */
    only: boolean,
  ) {
    const computed = [total, ...gradient(total, inputs), ...guards.map(({ node }) => node)];
    const expected = guards.map((guard) => guard.expected);
    const isHot = only && guards.length === 0;
    super(isHot ? compiled(computed, inputs) : new Walk(computed, inputs), 1 + inputs.length, expected);
    this.given = inputs.map((node) => (isScalar(node) ? 0 : new Float64Array(node.length)));
    this.graph = { computed, inputs };
    this.dimension = inputs.reduce((sum, node) => sum + node.length, 0);
    if (isHot) this.use(this.evaluation as Plan);
  }

  private use(plan: Plan): void {
    this.evaluation = plan;
    this.plan = plan;
    this.graph = null;
    if (this.isUnconditional) this.steps = Leapfrog.around(plan, this.dimension);
  }

  /** Leapfrog steps without leaving compiled code; false if there is none, or a branch may be met on the way. */
  travel(z: Phase, inverseMass: Float64Array, step: number, count: number): boolean {
    const { steps } = this;
    if (steps === null) return false;
    z.logDensity = steps.run(z.position, z.momentum, z.gradient, inverseMass, step, count);
    return true;
  }

  /** Of the density and its gradient, if they are compiled code for numbers alone. */
  get operations(): number {
    return this.steps?.plan.members.length ?? 0;
  }

  /** Whole transitions in compiled code; null if there is none. */
  transitions(motion: Motion): Transitions | null {
    return this.steps === null ? null : new Transitions(this.steps, motion);
  }

  /** The same of the No-U-Turn sampler. */
  trees(maxDepth: number): Trees | null {
    return this.steps === null ? null : new Trees(this.steps, maxDepth);
  }

  /** Leapfrog steps of two points at once; null if the plan is no code for numbers alone. */
  paired(): PairedLeapfrog | null {
    const { plan, dimension } = this;
    return plan !== null && isDensity(plan, dimension) ? new PairedLeapfrog(plan, dimension) : null;
  }

  private place(position: Float64Array, from = 0): void {
    const { given } = this;
    let at = from;
    for (let i = 0; i < given.length; i++) {
      const slot = given[i];
      if (typeof slot === 'number') given[i] = position[at++];
      else for (let k = 0; k < slot.length; k++) slot[k] = position[at++];
    }
  }

  /** Evaluates at the position; whether the program goes this way there. */
  runAt(position: Float64Array): boolean {
    const { graph } = this;
    if (graph !== null && ++this.evaluations > HOT) this.use(compiled(graph.computed, graph.inputs));
    this.place(position);
    return this.run(this.given);
  }

  /** Whether `readAt` can tell what the program returns. */
  get isReadable(): boolean {
    return this.readout !== null;
  }

  /**
   * What the program returns at a position, which starts somewhere in an array, and the part of the density there that is due
   * to the coordinates.
   */
  readAt(position: Float64Array, from: number): { value: unknown; logVolume: number } {
    this.place(position, from);
    return (this.readout as Readout).read(this.given);
  }

  /** The values at positions in an array, `stride` apart, each followed by its log-density, and scores of executions there. */
  readEach(numbers: Float64Array, from: number, stride: number, count: number, samples: SampleColumn<unknown>): void {
    const { given, dimension } = this;
    const readout = this.readout as Readout;
    if (readout.readEach(numbers, from, stride, count, dimension, samples)) return;
    for (let i = 0; i < count; i++) {
      const at = from + i * stride;
      this.place(numbers, at);
      const { value, logVolume } = readout.read(given);
      samples.add(value, numbers[at + dimension] - logVolume);
    }
  }

  get logDensity(): number {
    return this.results[0] as number;
  }

  writeGradient(out: Float64Array): void {
    let at = 0;
    for (let i = 1; i <= this.given.length; i++) {
      const slope = this.results[i];
      if (typeof slope === 'number') out[at++] = slope;
      else for (let k = 0; k < slope.length; k++) out[at++] = slope[k];
    }
  }
}

function compiled(computed: readonly Node[], inputs: readonly Node[]): Plan {
  forget(computed, inputs);
  return compilePlan(computed, inputs);
}
