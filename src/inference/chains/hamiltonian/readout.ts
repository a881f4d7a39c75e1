import { toNode } from '../../../tensor/leaves.ts';
import { type Data, Node, type Value } from '../../../tensor/node.ts';
import { compilePlan, type Plan } from '../../../tensor/plan/compile.ts';
import { Tensor } from '../../../tensor/tensor.ts';
import { Walk } from './walk.ts';

/** Up to so many operations, compiling them is not worth its while. */
const WALKABLE = 100;

/** Makes a value of the program from the numbers that its nodes stand for. */
type Template = (results: readonly (number | Data)[]) => unknown;

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
    const template = templateOf(value, outputs);
    return template === null ? null : new Readout(template ?? (() => value), outputs, inputs);
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

/** Undefined for a value without nodes, null for one that cannot be taken apart. */
function templateOf(value: unknown, outputs: Node[]): Template | undefined | null {
  if (value instanceof Node) {
    const i = outputs.push(value) - 1;
    const { dims, dtype } = value;
    if (dims.length > 0) return (results) => new Tensor(dims, Float64Array.from(results[i] as Data));
    return dtype === 'bool' ? (results) => results[i] !== 0 : (results) => results[i];
  }
  if (typeof value === 'function') return null;
  if (typeof value !== 'object' || value === null || value instanceof Tensor) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => templateOf(item, outputs));
    if (items.includes(null)) return null;
    if (items.every((item) => item === undefined)) return undefined;
    return (results) => items.map((item, i) => (item ? item(results) : value[i]));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return null;
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields);
  const parts = names.map((name) => templateOf(fields[name], outputs));
  if (parts.includes(null)) return null;
  if (parts.every((part) => part === undefined)) return undefined;
  return (results) =>
    Object.fromEntries(names.map((name, i) => [name, parts[i] ? (parts[i] as Template)(results) : fields[name]]));
}
