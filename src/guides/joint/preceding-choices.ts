/**
 * The choices that an execution has made so far, on which the guides of later choices may depend. The list is never
 * changed in place, so that code that takes executions back, or resumes one later, has to restore one field of the
 * machine only.
 */
import { machine } from '../../runtime/machine.ts';
import type { ParameterTable } from '../../runtime/parameters.ts';
import type { Value } from '../../tensor/node.ts';
import { isOfJointGuide } from './kind-names.ts';

/** The state that the guides of later choices depend on. */
export interface JointState {
  /** Numbers that are standard normal if the guide is right, [count, 1]; null if there are none. */
  readonly features: Value | null;
  readonly count: number;
  /** The state of the factors that all choices share (`low-rank.ts`). */
  readonly filter?: Filter;
}

/** Factors as Gaussian, given the choices so far. */
export interface Filter {
  /** Their precision, its Cholesky factor C, and the logarithm of its determinant. */
  readonly precision: Value;
  readonly factor: Value;
  readonly logDeterminant: Value;
  /** The precision times their mean, and C⁻¹ times that. */
  readonly information: Value;
  readonly whitened: Value;
}

export const NOTHING: JointState = { features: null, count: 0 };

/** A choice, and those before it. */
export interface Preceding {
  readonly before: Preceding | null;
  /** Identifies the list of choices: equal for the same choices, whatever their values. */
  readonly hash: number;
  readonly state: JointState;
  /** The same as if the parameters of guides were constants. */
  readonly fixed: () => JointState;
  /** Whether the guides of all of them are Gaussian. */
  readonly gaussian: boolean;
  /** The datum that the choice belongs to, if it belongs to one. */
  readonly within: Within | null;
  /** Where the choice is, and how many numbers it has. Absent at the beginning of a datum, where there is no choice. */
  readonly choice?: { readonly place: string; readonly size: number };
  /** True where guides are independent because chance decides which choice asks for its guide first. */
  readonly apart?: true;
}

/** The datum of a `mapData`, or the lanes of all of them. */
interface Within {
  /** How names of its choices begin. */
  readonly prefix: string;
  /** The same without its index. */
  readonly canonical: string;
  /** How many constructs around it run side by side. */
  readonly lanes: number;
}

const START: Preceding = { before: null, hash: 0, state: NOTHING, fixed: () => NOTHING, gaussian: true, within: null };

/** The earlier choices of executions side by side: each has its own, by its number among all. */
export class PrecedingOfEach {
  private readonly own = new Map<number, Preceding>();

  constructor(private readonly first: (execution: number) => Preceding = () => START) {}

  /** That of the current group; `machine.preceding` from now on. */
  static now(): PrecedingOfEach {
    const { preceding } = machine;
    if (preceding instanceof PrecedingOfEach) return preceding;
    // (Where guides are independent there is one for all.)
    const each = new PrecedingOfEach(() => (preceding as Preceding | null) ?? START);
    if (preceding === null) machine.preceding = each;
    return each;
  }

  /** Runs `work` for one execution as if it were alone. */
  during<R>(execution: number, work: () => R): R {
    const outer = machine.preceding;
    const before = this.own.get(execution) ?? this.first(execution);
    machine.preceding = before;
    try {
      return work();
    } finally {
      if (machine.preceding !== before) this.own.set(execution, machine.preceding as Preceding);
      machine.preceding = outer;
    }
  }
}

export const precedingNow = (): Preceding => (machine.preceding as Preceding | null) ?? START;

/** How often a name has the sign for iterations side by side. */
export const lanesIn = (place: string): number => place.split('[*]').length - 1;

/** The name of a choice without the indices of data. */
export function canonicalPlace({ within }: Preceding, place: string): string {
  return within === null ? place : within.canonical + place.slice(within.prefix.length);
}

/** FNV-1a, going on from an earlier one. */
export function hashOf(text: string, from: number): number {
  let hash = from ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Whether a table has parameters of joint guides. Kept per table, which grows and changes. */
const known = new WeakMap<ParameterTable, { readonly size: number; readonly version: number; readonly has: boolean }>();

function hasJointGuides(table: ParameterTable): boolean {
  const before = known.get(table);
  if (before?.size === table.size && before.version === table.version) return before.has;
  let has = false;
  for (const name of table.names()) has ||= isOfJointGuide(name);
  known.set(table, { size: table.size, version: table.version, has });
  return has;
}

/** Whether some guides depend on choices before theirs: as asked for, or as has been learned. */
export const isJoint = (): boolean => machine.jointGuide !== null || hasJointGuides(machine.params);

/** Calls a function with data: choices of one datum are independent of those of other data, and of later choices. */
export function eachApart<A, B>(fn: (datum: A, index: number) => B): (datum: A, index: number) => B {
  if (machine.handler.guided !== true || !isJoint()) return fn;
  const canonical = machine.address.relativeTo(machine.base);
  return (datum, index) => {
    const outer = machine.preceding;
    const prefix = machine.address.relativeTo(machine.base);
    const begun = (around: Preceding): Preceding => {
      const within = { prefix, canonical: `${canonicalPlace(around, canonical)}[]`, lanes: lanesIn(prefix) };
      return { ...around, before: around, choice: undefined, within };
    };
    if (machine.columns === null) machine.preceding = begun(precedingNow());
    else {
      const each = PrecedingOfEach.now();
      machine.preceding = new PrecedingOfEach((execution) => each.during(execution, () => begun(precedingNow())));
    }
    try {
      return fn(datum, index);
    } finally {
      machine.preceding = outer;
    }
  };
}

/** Runs `work` with guides that are independent of each other. */
export function standingApart<R>(work: () => R): R {
  if (machine.handler.guided !== true || !isJoint()) return work();
  const outer = machine.preceding;
  machine.preceding = { ...START, apart: true } satisfies Preceding;
  try {
    return work();
  } finally {
    machine.preceding = outer;
  }
}
