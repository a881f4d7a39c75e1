import { type Kind, type Template, templateOf } from '../../../lanes/recordings/template.ts';
import { Walk } from '../../../lanes/recordings/walk.ts';
import { OneByOne } from '../../../runtime/signals.ts';
import { toNode } from '../../../tensor/leaves.ts';
import { type Data, Node, type Value } from '../../../tensor/node.ts';
import { compilePlan, type Plan } from '../../../tensor/plan/compile.ts';
import { Tensor } from '../../../tensor/tensor.ts';
import type { SampleColumn } from '../kernel.ts';

/** Up to so many operations, compiling them does not pay. */
const WALKABLE = 100;

/**
 * What a recorded program returned, as a function of its inputs: saves executing it for every sample. Null for values
 * that hold nodes where they cannot be replaced (in a distribution, or in what a function remembers).
 */
export class Readout {
  private evaluation: Plan | Walk | null = null;

  /** Scores and values of many samples, if these are numbers: one after the other. */
  private pairs = new Float64Array(0);

  private constructor(
    private readonly template: Template,
    /** Whether what was returned is a number that depends on the inputs. */
    private readonly isNumber: boolean,
    /** The log-volume, and then the nodes of the template. */
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {}

  /** `logVolume` is the part of the density that is due to the coordinates. */
  static of(value: unknown, logVolume: Value, inputs: readonly Node[]): Readout | null {
    const outputs = [toNode(logVolume)];
    try {
      const isNumber = value instanceof Node && value.dims.length === 0 && value.dtype !== 'bool';
      return new Readout(templateOf(value, KIND, outputs), isNumber, outputs, inputs);
    } catch (thrown) {
      if (thrown instanceof OneByOne) return null;
      throw thrown;
    }
  }

  /** The value and the log-volume for inputs as a plan takes them. */
  read(inputs: readonly (number | Data)[]): { value: unknown; logVolume: number } {
    this.evaluation ??= this.start();
    const results = this.evaluation.run(inputs);
    return { value: this.template(results), logVolume: results[0] as number };
  }

  /**
   * Adds samples at positions in an array, `stride` apart, each of so many numbers and followed by its log-density. False if each has to be read by
   * itself.
   */
  readEach(
    numbers: Float64Array,
    from: number,
    stride: number,
    count: number,
    dimension: number,
    samples: SampleColumn<unknown>,
  ): boolean {
    this.evaluation ??= this.start();
    const results = this.evaluation instanceof Walk ? this.evaluation.many(numbers, from, stride, count) : null;
    if (results === null) return false;
    const [logVolumes, values] = results;
    const densitiesAt = from + dimension;
    if (!this.isNumber) {
      const own = new Array<number>(results.length);
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < own.length; k++) own[k] = results[k][i];
        samples.add(this.template(own), numbers[densitiesAt + i * stride] - logVolumes[i]);
      }
      return true;
    }
    if (this.pairs.length < 2 * count) this.pairs = new Float64Array(2 * count);
    const { pairs } = this;
    for (let i = 0; i < count; i++) {
      pairs[2 * i] = numbers[densitiesAt + i * stride] - logVolumes[i];
      pairs[2 * i + 1] = values[i];
    }
    samples.addNumbers(pairs, 0, 2, count);
    return true;
  }

  private start(): Plan | Walk {
    const { outputs, inputs } = this;
    const walk = new Walk(outputs, inputs);
    return walk.length <= WALKABLE ? walk : compilePlan(outputs, inputs);
  }
}

const KIND: Kind<Node> = {
  leaf(node) {
    if (!(node instanceof Node)) return undefined;
    const { dims, dtype } = node;
    if (dims.length > 0) return { node, make: (numbers) => new Tensor(dims, Float64Array.from(numbers as Data)) };
    return { node, make: dtype === 'bool' ? (number) => number !== 0 : (number) => number };
  },
  holds,
  rebuiltOf: () => undefined,
};

/** Functions and objects of classes may remember nodes. */
function holds(value: unknown): boolean {
  if (typeof value === 'function' || value instanceof Node) return true;
  if (typeof value !== 'object' || value === null || value instanceof Tensor) return false;
  if (Array.isArray(value)) return value.some(holds);
  return Object.getPrototypeOf(value) !== Object.prototype || Object.values(value).some(holds);
}
