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
import { Walk } from './walk.ts';

/** A value that the program looked at: the recording is that of executions in which it is the same. */
export interface Guard {
  readonly node: Node;
  readonly expected: number | Data;
}

/** Evaluations after which code is generated; before that the graph is walked, which costs little to begin with. */
const HOT = 25;

/** A log-density as a graph over unconstrained inputs, with its gradient, to be evaluated at many points. */
export class Recording {
  /** How it is evaluated before there is a plan; the graph is not kept beyond that. */
  private graph: { readonly outputs: readonly Node[]; readonly inputs: readonly Node[] } | null;
  private walk: Walk | null = null;
  private plan: Plan | null = null;
  private steps: Leapfrog | null = null;
  private readonly dimension: number;
  /** The values of the guards. */
  readonly expected: readonly (number | Data)[];
  private evaluations = 0;
  private results: readonly (number | Data)[] = [];
  private readonly given: (number | Data)[];

  constructor(
    inputs: readonly Node[],
    total: Node,
    guards: readonly Guard[],
    /** What the program returned; null if it has to be executed to know. */
    private readonly readout: Readout | null,
    /** Whether there will be no other recordings, so that this one is worth a plan from the start. */
    private readonly only: boolean,
  ) {
    this.expected = guards.map(({ expected }) => expected);
    const outputs = [total, ...gradient(total, inputs), ...guards.map(({ node }) => node)];
    this.given = inputs.map((node) => (isScalar(node) ? 0 : new Float64Array(node.length)));
    this.graph = { outputs, inputs };
    this.dimension = inputs.reduce((sum, node) => sum + node.length, 0);
  }

  /** Whether it holds everywhere, because the program looked at nothing. */
  get isUnconditional(): boolean {
    return this.expected.length === 0;
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

  /** Evaluates at the position; read the results with the other methods. */
  run(position: Float64Array): void {
    this.place(position);
    const { given, graph } = this;
    if (graph !== null && (++this.evaluations > HOT || (this.only && this.isUnconditional))) {
      forget(graph.outputs, graph.inputs);
      this.plan = compilePlan(graph.outputs, graph.inputs);
      this.graph = null;
      this.walk = null;
      if (this.isUnconditional) this.steps = Leapfrog.around(this.plan, this.dimension);
    }
    if (this.plan === null && graph !== null) this.walk ??= new Walk(graph.outputs, graph.inputs);
    this.results = (this.plan ?? (this.walk as Walk)).run(given);
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
    const { results } = this;
    let at = 0;
    for (let i = 1; i <= this.given.length; i++) {
      const slope = results[i];
      if (typeof slope === 'number') out[at++] = slope;
      else for (let k = 0; k < slope.length; k++) out[at++] = slope[k];
    }
  }

  /** The value of a guard in the last evaluation. */
  guardValue(i: number): number | Data {
    return this.results[1 + this.given.length + i];
  }

  /** The first guard whose value differed in the last evaluation, or −1. */
  firstBroken(): number {
    const { expected } = this;
    for (let i = 0; i < expected.length; i++) if (!sameNumbers(this.guardValue(i), expected[i])) return i;
    return -1;
  }
}

export function sameNumbers(a: number | Data, b: number | Data): boolean {
  if (typeof a === 'number' || typeof b === 'number') return Object.is(a, b) || a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
