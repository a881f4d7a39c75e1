/**
 * Leaves out axes of length 1. Networks compute with columns and families with vectors, which hold the same numbers in the
 * same order. Without such axes operations on both, and sums of both, are one kernel and not several passes through memory.
 */
import type { ReduceAttributes } from '../kernels/reduce.ts';
import { type Op, RESHAPE } from '../node.ts';
import { reduceAttributes } from '../ops/reductions.ts';
import { type Shape, sameShape } from '../shape.ts';
import { hasVectorCode } from '../wasm/emit.ts';
import { type Program, Value } from './program.ts';
import { reductionKinds } from './schedule.ts';

/** The program with elementwise operations and reductions over axes longer than 1 alone. */
export function withoutUnitAxes(program: Program): Program {
  return program.values.some(hasUnitAxes) ? new Rewriter(program).run() : program;
}

/** Whether something is computed along axes that could be left out. */
function hasUnitAxes({ op, source, inputs, shape, space }: Value): boolean {
  if (source !== null) return false;
  if (op.kind === 'elementwise') return hasVectorCode(op) && isReducible(shape, space);
  return reductionKinds.has(op) && isReducible(inputs[0].shape, inputs[0].space);
}

/** At least one axis stays: values without axes or lanes are kept in slots, and not as tensors. */
function isReducible(shape: Shape, space: number): boolean {
  return shape.includes(1) && (space >= 0 || shape.some((size) => size !== 1));
}

class Rewriter {
  private readonly made: Value[] = [];
  private readonly stands = new Map<Value, Value>();
  private readonly views = new Map<string, Value>();

  constructor(private readonly program: Program) {}

  run(): Program {
    const { values, outputs, spaces, checks } = this.program;
    for (const value of values) this.stands.set(value, this.rewritten(value));
    const now = (value: Value): Value => this.stands.get(value) as Value;
    return {
      values: this.made,
      outputs: outputs.map(now),
      spaces,
      checks: checks?.map(({ wrong, length }) => ({ wrong: now(wrong), length })),
    };
  }

  private rewritten(value: Value): Value {
    const { op, inputs, shape, attributes, source } = value;
    const now = inputs.map((input) => this.stands.get(input) as Value);
    const unchanged = (): Value => this.make(value, op, now, attributes, shape, source);
    if (op === RESHAPE && source === null && now[0].space === value.space && now[0].isScalar === value.isScalar) {
      return this.seen(now[0], shape);
    }
    if (!hasUnitAxes(value)) return unchanged();
    if (op.kind === 'elementwise') {
      const operands = now.map((input) => this.seen(input, along(input.shape, shape), input.isScalar));
      return this.seen(this.make(value, op, operands, attributes, along(shape, shape)), shape);
    }
    const from = now[0].shape;
    const { axes, lanes } = attributes as ReduceAttributes;
    const lengths = from.flatMap((size, axis) => (size === 1 ? [] : [axis]));
    const gone = lengths.flatMap((axis, i) => (axes.includes(axis) ? [i] : []));
    const left = along(shape, shape);
    // A reduction over no axes, or one that leaves a single number in a tensor, stays as it is.
    if ((gone.length === 0 && !lanes) || (left.length < shape.length && left.length === 0 && value.space < 0))
      return unchanged();
    const reduced = this.make(value, op, [this.seen(now[0], along(from, from))], reduceAttributes(gone, lanes), left);
    return this.seen(reduced, shape);
  }

  private make(
    { dtype, space }: Value,
    op: Op,
    inputs: readonly Value[],
    attributes: Value['attributes'],
    shape: Shape,
    source: Value['source'] = null,
  ): Value {
    const value = new Value(this.made.length, op, inputs, attributes, shape, dtype, space, source);
    this.made.push(value);
    return value;
  }

  /** The elements of a value in another shape; of a single number, itself. */
  private seen(value: Value, shape: Shape, single = false): Value {
    if (single || sameShape(value.shape, shape)) return value;
    // A value without axes or lanes would be kept in a slot.
    const kept = shape.length === 0 && value.space < 0 ? [1] : shape;
    let core = value;
    while (core.op === RESHAPE && core.source === null && core.inputs[0].space === value.space && !core.isScalar) {
      if (core.inputs[0].isScalar) break;
      core = core.inputs[0];
    }
    if (sameShape(core.shape, kept)) return core;
    const key = `${core.id} ${kept.join(',')}`;
    let view = this.views.get(key);
    if (view === undefined) {
      view = this.make(core, RESHAPE, [core], null, kept);
      this.views.set(key, view);
    }
    return view;
  }
}

/** The shape of an operand along the axes of a domain that are longer than 1. */
function along(shape: Shape, domain: Shape): Shape {
  const missing = domain.length - shape.length;
  return shape.filter((_, axis) => domain[axis + missing] !== 1);
}
