/**
 * Elements that are picked from a value, where a few quick operations make that value of other picks and constants. The
 * elements are picked from those instead, so that the value is never written to memory and read again. The kernel that uses
 * an element computes it, with the same bits.
 */
import * as t from '../elementwise/table.ts';
import type { Data, Op } from '../node.ts';
import { PICK } from '../wasm/emit.ts';
import { knownSide } from './nested-selects.ts';
import { elementsOf, needed, type Program, Value } from './program.ts';

/** Operations that take no longer than writing and reading their result. */
const QUICK: ReadonlySet<Op> = new Set(
  [t.ADD, t.SUB, t.MUL, t.MIN, t.MAX, t.NEG, t.ABS, t.SELECT, t.NOT, t.AND, t.OR, t.STOP].concat(
    [t.LT, t.LE, t.GT, t.GE, t.EQ, t.NE], // Comparisons.
  ),
);

/** An element that is picked more often than this, on average, is computed once. */
const MOST_TIMES = 2;

/** The program with picks from what is quickly made moved to what that is made of. */
export function withPicksThrough(program: Program): Program {
  if (!program.values.some(isListed)) return program;
  return new Rewriter(program).run();
}

/** Picks at places that the plan knows. */
const isListed = ({ op, inputs, source }: Value): boolean =>
  source === null && op === PICK && inputs[1].source?.kind === 'baked';

const listOf = ({ inputs }: Value): Int32Array => (inputs[1].source as { data: Int32Array }).data;

class Rewriter {
  private readonly made: Value[] = [];
  private readonly stands = new Map<Value, Value>();
  private readonly uses = new Map<Value, number>();
  /** Lists of places made of two, by both. */
  private readonly lists = new Map<Value, Map<Value, Value>>();
  private readonly sizes: readonly number[];

  constructor(private readonly program: Program) {
    this.sizes = program.spaces.map(({ size }) => size);
    const use = (value: Value): void => void this.uses.set(value, (this.uses.get(value) ?? 0) + 1);
    for (const { inputs } of program.values) inputs.forEach(use);
    program.outputs.forEach(use);
  }

  run(): Program {
    const { values, outputs, checks } = this.program;
    for (const value of values) this.stands.set(value, this.rewritten(value));
    const now = (value: Value): Value => this.stands.get(value) as Value;
    const left = outputs.map(now);
    const kept = checks?.map(({ wrong, length }) => ({ wrong: now(wrong), length }));
    return {
      ...this.program,
      values: needed(this.made, [...left, ...(kept ?? []).map(({ wrong }) => wrong)]),
      outputs: left,
      checks: kept,
    };
  }

  private rewritten(value: Value): Value {
    const { op, inputs, shape, dtype, space, attributes, source } = value;
    if (isListed(value) && !this.isOpen(value)) {
      const [from] = inputs;
      const computed = this.computed(from);
      const isSeldom = elementsOf(value, this.sizes) <= MOST_TIMES * elementsOf(from, this.sizes);
      if (computed !== null && isSeldom && this.canPick(computed, computed)) return this.picked(computed, value);
    }
    const now = inputs.map((input) => this.stands.get(input) as Value);
    const side = op === t.SELECT && source === null && !this.isOpen(value) ? knownSide(value, now) : null;
    if (side !== null) {
      const data = this.make(op, [], { shape, dtype, space }, null, { kind: 'baked', data: side });
      now.splice(0, 2, now[1].inputs[0], data);
    }
    return this.make(op, now, { shape, dtype, space }, attributes, source);
  }

  private make(
    op: Op,
    inputs: readonly Value[],
    { shape, dtype, space }: Pick<Value, 'shape' | 'dtype' | 'space'>,
    attributes: Value['attributes'] = null,
    source: Value['source'] = null,
  ): Value {
    const value = new Value(this.made.length, op, inputs, attributes, shape, dtype, space, source);
    this.made.push(value);
    return value;
  }

  private isOpen({ space, inputs }: Value): boolean {
    return [space, ...inputs.map((input) => input.space)].some((one) => one >= 0 && this.program.spaces[one].isOpen);
  }

  /** The operation whose elements a value has, if it is quick and nothing else uses it; else null. */
  private computed(value: Value): Value | null {
    let at = value;
    while (at.source === null && at.op.kind === 'view' && this.uses.get(at) === 1 && !at.isScalar) at = at.inputs[0];
    if (at.source !== null || at.isScalar || this.uses.get(at) !== 1 || this.isOpen(at)) return null;
    return QUICK.has(at.op) ? at : null;
  }

  /** Whether all that a value is made of can be picked at places of it: element by element, or the same for all. */
  private canPick(value: Value, whole: Value): boolean {
    return value.inputs.every((input) => {
      if (input.isScalar) return true;
      if (elementsOf(input, this.sizes) !== elementsOf(whole, this.sizes)) return false;
      if (input.source?.kind === 'baked' || isListed(input)) return !this.isOpen(input);
      const computed = this.computed(input);
      return computed !== null && this.canPick(computed, whole);
    });
  }

  /** The elements of a value at the places of a pick, computed there. */
  private picked(value: Value, pick: Value): Value {
    const { shape, space } = pick;
    const inputs = value.inputs.map((input) => {
      if (input.isScalar) return this.stands.get(input) as Value;
      if (input.source?.kind === 'baked') return this.bakedAt(input, pick);
      if (!isListed(input)) return this.picked(this.computed(input) as Value, pick);
      const table = this.stands.get(input.inputs[0]) as Value;
      return this.make(PICK, [table, this.bakedAt(input.inputs[1], pick)], { shape, dtype: input.dtype, space });
    });
    return this.make(value.op, inputs, { shape, dtype: value.dtype, space }, value.attributes);
  }

  /** The elements of a constant at the places of a pick. */
  private bakedAt(constant: Value, pick: Value): Value {
    const list = pick.inputs[1];
    let known = this.lists.get(constant);
    if (known === undefined) {
      known = new Map();
      this.lists.set(constant, known);
    }
    let found = known.get(list);
    if (found === undefined) {
      const { data } = constant.source as { data: Data };
      const places = listOf(pick);
      const own = new (data.constructor as new (length: number) => Data)(places.length);
      for (let i = 0; i < own.length; i++) own[i] = data[places[i]];
      const { shape, space } = list;
      found = this.make(constant.op, [], { shape, dtype: constant.dtype, space }, null, { kind: 'baked', data: own });
      known.set(list, found);
    }
    return found;
  }
}
