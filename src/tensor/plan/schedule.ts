/** Divides a program into steps: blocks of scalar code, fused kernels, and single operations with kernels of their own. */
import { NEG, TO_F32 } from '../elementwise/table.ts';
import { MAX_OF, MIN_OF, PROD, SUM } from '../ops/reductions.ts';
import { hasVectorCode, isMadeOfDecay, PICK } from '../wasm/emit.ts';
import type { ReductionKind } from '../wasm/fused.ts';
import { type Domain, extentOf, loopsOf } from './loops.ts';
import type { Program, Value } from './program.ts';
import { ROW } from './row-parts.ts';

interface ScalarBlock {
  readonly kind: 'scalars';
  readonly members: Value[];
}

export interface FusedGroup {
  readonly kind: 'fused';
  readonly compute: 'f64' | 'f32';
  readonly domain: Domain;
  readonly members: Value[];
  readonly reductions: Value[];
  /** Rows put together from values in registers or memory. */
  readonly rows: Value[];
  /** Values read from memory. */
  readonly operands: Value[];
  /** Those of the values read that are tables to pick elements from. */
  readonly tables: Value[];
}

interface SingleStep {
  readonly kind: 'single';
  readonly value: Value;
}

export type Step = ScalarBlock | FusedGroup | SingleStep;

/** Kernels stay small enough to compile quickly and keep their values in registers. */
const MOST_MEMBERS = 64;
const MOST_OPERANDS = 24;

export const reductionKinds: ReadonlyMap<unknown, ReductionKind> = new Map<unknown, ReductionKind>([
  [SUM, 'sum'],
  [PROD, 'prod'],
  [MAX_OF, 'max'],
  [MIN_OF, 'min'],
]);

export interface Schedule {
  readonly steps: readonly Step[];
  /** The step that computes a value; −1 for leaves. */
  readonly stepOf: ReadonlyMap<Value, number>;
}

export function schedule(program: Program): Schedule {
  return new Scheduler(program).run();
}

class Scheduler {
  private readonly steps: Step[] = [];
  private readonly stepOf = new Map<Value, number>();
  private readonly computeOf = new Map<Value, 'f64' | 'f32'>();
  private readonly groups = new Map<string, number[]>();
  private readonly waiting = new Set<Value>();
  private lastScalars = -1;

  constructor(private readonly program: Program) {}

  run(): Schedule {
    for (const value of this.program.values) if (!this.canWait(value)) this.place(value);
    for (const value of this.program.values) this.placeIfWaiting(value);
    return { steps: this.steps, stepOf: this.stepOf };
  }

  /** A value that is made of leaves alone is computed by the kernel that needs it, and so need not be kept until then. */
  private canWait(value: Value): boolean {
    const { op, source, inputs, isScalar } = value;
    if (source !== null || isScalar || op === PICK) return false;
    const waits = op.kind === 'elementwise' ? this.hasKernel(value) : op.kind === 'view' && isPlainView(value);
    return (
      waits && inputs.every((input) => input.source !== null || this.waiting.has(input)) && !!this.waiting.add(value)
    );
  }

  private placeIfWaiting(value: Value): void {
    if (this.waiting.delete(value)) this.place(value);
  }

  private place(value: Value): void {
    for (const input of value.inputs) this.placeIfWaiting(input);
    if (value.source !== null) this.stepOf.set(value, -1);
    else if (value.op.kind === 'view' && isPlainView(value))
      this.stepOf.set(value, this.stepOf.get(value.inputs[0]) as number);
    else if (value.op.kind === 'elementwise' && value.isScalar) this.placeScalar(value);
    else if (value.op.kind === 'elementwise' && this.hasKernel(value)) this.placeElementwise(value);
    else if (reductionKinds.has(value.op) && this.placeReduction(value)) return;
    else if (value.op === ROW) this.placeRow(value);
    else this.append(value, { kind: 'single', value });
  }

  private append(value: Value, step: Step): number {
    this.steps.push(step);
    this.stepOf.set(value, this.steps.length - 1);
    return this.steps.length - 1;
  }

  /** Whether a value is in a register of the step, rather than in memory after it. */
  private inRegister(value: Value, step: number): boolean {
    const at = this.steps[step];
    return this.stepOf.get(value) === step && at.kind !== 'single' && at.members.includes(value);
  }

  /** Whether a step could use the value: it is computed before, or in a register of the step. */
  private available(value: Value, step: number): boolean {
    return (this.stepOf.get(value) as number) < step || this.inRegister(value, step);
  }

  /** Puts the value into the last step of scalars, unless something after that step has to be computed first. */
  private placeScalar(value: Value): void {
    const step = this.steps[this.lastScalars];
    if (
      step?.kind === 'scalars' &&
      value.inputs.every((input) => (this.stepOf.get(input) as number) <= this.lastScalars)
    ) {
      step.members.push(value);
      this.stepOf.set(value, this.lastScalars);
      return;
    }
    this.lastScalars = this.append(value, { kind: 'scalars', members: [value] });
  }

  /** The precision an elementwise operation is computed in. */
  private compute(value: Value): 'f64' | 'f32' {
    if (value.op === TO_F32 || value.dtype === 'f64') return 'f64';
    if (value.dtype === 'f32') return 'f32';
    let single: 'f64' | 'f32' | null = null;
    for (const input of value.inputs) {
      if (input.isScalar) continue;
      if (input.dtype === 'f64' || input.dtype === 'i32') return 'f64';
      if (input.dtype === 'f32') single = 'f32';
      else single ??= this.computeOf.get(input) ?? null;
    }
    return single ?? 'f64';
  }

  /** Single-precision kernels read no double precision but shared scalars. */
  private hasKernel(value: Value): boolean {
    if (value.op === PICK) return true;
    if (!hasVectorCode(value.op)) return false;
    if (this.compute(value) === 'f64') return true;
    return value.inputs.every((input) => input.dtype === 'bool' || isSingle(input));
  }

  private placeElementwise(value: Value): void {
    const compute = this.compute(value);
    this.computeOf.set(value, compute);
    const key = `${value.space}/${value.shape.join(',')}/${compute}`;
    const candidates = this.groups.get(key) ?? [];
    const sharing = this.sharing(candidates, value);
    if (sharing !== undefined && this.joinIfPossible(sharing, value)) return;
    for (let i = candidates.length - 1; i >= 0; i--) if (this.joinIfPossible(candidates[i], value)) return;
    const domain = { shape: value.shape, space: value.space };
    const operands = [...new Set(value.inputs)];
    const tables = value.op === PICK ? [value.inputs[0]] : [];
    const group: FusedGroup = {
      kind: 'fused',
      compute,
      domain,
      members: [value],
      reductions: [],
      rows: [],
      operands,
      tables,
    };
    candidates.push(this.append(value, group));
    this.groups.set(key, candidates);
  }

  /** The kernel that computes e^−|x| already, for a function made of it, or for the −x that may be the argument of one. */
  private sharing(candidates: readonly number[], { op, inputs: [argument] }: Value): number | undefined {
    if (op !== NEG && !isMadeOfDecay(op)) return undefined;
    const base = (value: Value): Value => (value.op === NEG && value.source === null ? value.inputs[0] : value);
    const x = base(argument);
    return candidates.find((step) =>
      (this.steps[step] as FusedGroup).members.some(({ op, inputs }) => isMadeOfDecay(op) && base(inputs[0]) === x),
    );
  }

  /** Adds the value to a kernel, if that is possible. */
  private joinIfPossible(step: number, value: Value): boolean {
    const group = this.steps[step] as FusedGroup;
    if (!value.inputs.every((input) => this.available(input, step))) return false;
    return this.readsAlike(group, step, value) && this.join(group, step, value);
  }

  /** Whether a table would be nothing but a table in the group, and what is no table there would not become one. */
  private readsAlike({ tables, operands }: FusedGroup, step: number, { op, inputs }: Value): boolean {
    if (op !== PICK) return !inputs.some((input) => tables.includes(input));
    const [table] = inputs;
    return tables.includes(table) || (!operands.includes(table) && (this.stepOf.get(table) as number) < step);
  }

  private join(group: FusedGroup, step: number, value: Value): boolean {
    if (group.members.length >= MOST_MEMBERS) return false;
    const fresh = value.inputs.filter(
      (input, i) =>
        !this.inRegister(input, step) && !group.operands.includes(input) && value.inputs.indexOf(input) === i,
    );
    if (group.operands.length + fresh.length > MOST_OPERANDS) return false;
    const operands = [...group.operands, ...fresh];
    // Further operands must not break up the loops that the group's reductions rely on.
    const tables = value.op === PICK ? [...group.tables, value.inputs[0]] : group.tables;
    if (group.reductions.length > 0 && fresh.length > 0 && !fits(group.domain, operands, group.reductions, tables))
      return false;
    group.members.push(value);
    group.operands.push(...fresh);
    if (value.op === PICK) group.tables.push(value.inputs[0]);
    this.stepOf.set(value, step);
    return true;
  }

  /** Puts the row into the last kernel that computes one of its elements, or into a kernel of its own. */
  private placeRow(value: Value): void {
    const parts = [...new Set(value.inputs)];
    const last = Math.max(...parts.map((part) => this.stepOf.get(part) as number));
    const group = this.steps[last];
    if (group?.kind === 'fused' && group.domain.shape.length === 0) {
      const fresh = parts.filter((part) => !this.inRegister(part, last) && !group.operands.includes(part));
      const fits =
        (group.compute === 'f64' || (value.dtype === 'f32' && fresh.every(isSingle))) &&
        group.domain.space === value.space &&
        group.operands.length + fresh.length <= MOST_OPERANDS &&
        !parts.some((part) => group.tables.includes(part));
      if (fits && parts.every((part) => this.available(part, last))) {
        group.operands.push(...fresh);
        group.rows.push(value);
        this.stepOf.set(value, last);
        return;
      }
    }
    const domain = { shape: [], space: value.space };
    this.append(value, {
      kind: 'fused',
      compute: 'f64',
      domain,
      members: [],
      reductions: [],
      rows: [value],
      operands: parts,
      tables: [],
    });
  }

  /** Puts the reduction into the kernel that computes its input, or into a kernel of its own; false if neither is possible. */
  private placeReduction(value: Value): boolean {
    const [input] = value.inputs;
    const step = this.stepOf.get(input) as number;
    if (step >= 0) {
      const group = this.steps[step];
      if (
        group.kind === 'fused' &&
        group.members.includes(input) &&
        this.accumulatesIn(group.compute, value) &&
        fits(group.domain, group.operands, [...group.reductions, value], group.tables)
      ) {
        group.reductions.push(value);
        this.stepOf.set(value, step);
        return true;
      }
    }
    if (input.isScalar) return false;
    const compute = input.dtype === 'f32' || input.dtype === 'bool' ? 'f32' : 'f64';
    const domain = { shape: input.shape, space: input.space };
    if (!this.accumulatesIn(compute, value) || !fits(domain, [input], [value], [])) return false;
    this.append(value, {
      kind: 'fused',
      compute,
      domain,
      members: [],
      reductions: [value],
      rows: [],
      operands: [input],
      tables: [],
    });
    return true;
  }

  /** Column sums are accumulated in memory, in the precision they are computed in. */
  private accumulatesIn(compute: 'f64' | 'f32', value: Value): boolean {
    return value.dtype === compute || (compute === 'f32' && value.shape.length === 0);
  }
}

/** Whether a kernel of single precision can read it as a number. */
const isSingle = ({ isScalar, dtype }: Value): boolean => isScalar || dtype === 'f32';

function fits(
  domain: Domain,
  operands: readonly Value[],
  reductions: readonly Value[],
  tables: readonly Value[],
): boolean {
  return loopsOf(domain, operands, reductions, tables).keeps.every((keeps) => extentOf(keeps) !== null);
}

/** A reshape that is nothing but another name; between a scalar and a tensor the value has to be moved. */
function isPlainView(value: Value): boolean {
  return value.isScalar === value.inputs[0].isScalar;
}

/** The value whose memory a view shows. */
export function rootOf(value: Value): Value {
  let at = value;
  while (at.source === null && at.op.kind === 'view' && isPlainView(at)) at = at.inputs[0];
  return at;
}
