import { type Kind, type Template, templateOf } from '../../../lanes/recordings/template.ts';
import { Walk } from '../../../lanes/recordings/walk.ts';
import { OneByOne } from '../../../runtime/signals.ts';
import { toNode } from '../../../tensor/leaves.ts';
import { type Data, Node, type Value } from '../../../tensor/node.ts';
import { compilePlan, type Plan } from '../../../tensor/plan/compile.ts';
import { Tensor } from '../../../tensor/tensor.ts';

/** Up to so many operations, compiling them does not pay. */
const WALKABLE = 100;

/**
 * What a recorded program returned, as a function of its inputs: saves executing it for every sample. Null for values
 * that hold nodes where they cannot be replaced (in a distribution, or in what a function remembers).
 */
export class Readout {
  private evaluation: Plan | Walk | null = null;

  private constructor(
    private readonly template: Template,
    /** The log-volume, and then the nodes of the template. */
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {}

  /** `logVolume` is the part of the density that is due to the coordinates. */
  static of(value: unknown, logVolume: Value, inputs: readonly Node[]): Readout | null {
    const outputs = [toNode(logVolume)];
    try {
      return new Readout(templateOf(value, KIND, outputs), outputs, inputs);
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
