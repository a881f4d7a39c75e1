/**
 * What is known of the model of an inference in an app. The compiler has followed it through its module, and names the variables
 * that lead out of it (`compiler/analyse/app-models.ts`). Their values are looked at here, when the inference begins: data are
 * harmless, and so are functions of which another compiled module says so. Anything else may keep state.
 */
import { isBuiltIn, thereNow } from '../algebra/host-functions.ts';
import { ALL_FACTS, hasFact } from '../compiler/fact-bits.ts';
import { type ProgramFacts, runsDirectly } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Reason } from '../runtime/reasons.ts';
import { isObject, isRecord } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';

type Values = () => readonly unknown[];

/** A function that comes to nothing which keeps executions from running as one, what is true of it, and what else it comes to. */
export type CalmFunction = readonly [fn: () => unknown, bits: number, values: Values];

interface Known {
  readonly bits: number;
  readonly values: Values;
}

/** Values with more parts than this are not looked through. */
const MOST_PARTS = 2_000_000;

const functions = new WeakMap<object, Known>();
/** Functions that modules have named, and that were not there yet. */
let spoken: CalmFunction[] = [];

export function addCalm(list: readonly CalmFunction[]): void {
  spoken.push(...list);
}

/** Functions of the library, which know what they do. */
const libraries = new WeakSet<object>();

export function addLibrary(library: Readonly<Record<string, unknown>>): void {
  for (const name in library) if (isObject(library[name])) libraries.add(library[name] as object);
}

function listSpoken(): void {
  spoken = spoken.filter(([given, bits, values]) => {
    const there = thereNow(given);
    if (there !== undefined) functions.set(there.value as object, { bits, values });
    return there === undefined;
  });
}

/** Looks through values, and keeps what is true of all functions among them. */
class Look {
  bits = ALL_FACTS;
  private readonly seen = new Set<unknown>();
  private parts = 0;

  /** What may keep state among these values; undefined if nothing does. */
  suspect(values: Values): string | undefined {
    const there = thereNow(values);
    return there === undefined ? 'it may use what is not there yet' : this.among(there.value as readonly unknown[]);
  }

  private among(values: Iterable<unknown>): string | undefined {
    for (const value of values) {
      const found = isObject(value) ? this.look(value as object) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private look(value: object): string | undefined {
    if (this.seen.has(value)) return undefined;
    this.seen.add(value);
    if (++this.parts > MOST_PARTS) return 'its data are too large to be looked through';
    if (Array.isArray(value)) return this.array(value);
    if (typeof value === 'function') return this.call(value as () => unknown);
    if (isRecord(value) || isNamespace(value)) return this.among(Object.values(value));
    if (value instanceof Map) return this.among([...value].flat());
    if (value instanceof Set) return this.among(value);
    const isData =
      value instanceof Tensor || ArrayBuffer.isView(value) || value instanceof Date || value instanceof RegExp;
    if (isData || isDistribution(value) || libraries.has(value)) return undefined;
    return `an object of ${value.constructor?.name || 'an unknown kind'} may keep state`;
  }

  /** Most lists hold numbers, and many of them. */
  private array(values: readonly unknown[]): string | undefined {
    this.parts += values.length;
    return this.among(values);
  }

  private call(fn: () => unknown): string | undefined {
    const known = functions.get(fn);
    if (known !== undefined) {
      this.bits &= known.bits;
      return this.suspect(known.values);
    }
    if (libraries.has(fn) || isBuiltIn(fn)) return undefined;
    return `${fn.name || 'a function without a name'} may keep state: it is not compiled, or not at the top level of its module`;
  }
}

/** True of all that a module exports, as `import * as` gives it. */
const isNamespace = (value: object): boolean => Object.getPrototypeOf(value) === null;

type Facts = Pick<
  ProgramFacts,
  'sideEffect' | 'lasting' | 'stateless' | 'resumable' | 'settled' | 'comparesContents' | 'evenness'
>;

/** The part of what is known of a program that holds for inferences of such a model; null inside of another inference. */
export function factsOf(known: number | string, values: Values | undefined): Facts | null {
  // What an inner inference comes to, the outer one does too.
  if (!runsDirectly()) return null;
  if (typeof known === 'string') return withSideEffect(known);
  listSpoken();
  const look = new Look();
  look.bits &= known;
  const suspect = values === undefined ? undefined : look.suspect(values);
  if (suspect !== undefined) return withSideEffect(suspect);
  const { bits } = look;
  return {
    sideEffect: null,
    lasting: null,
    stateless: hasFact(bits, 'stateless'),
    resumable: hasFact(bits, 'resumable'),
    // Between two inferences an app may change anything.
    settled: hasFact(bits, 'settled') ? 'inference' : 'never',
    comparesContents: hasFact(bits, 'comparesContents'),
    evenness: hasFact(bits, 'even') ? 'even' : hasFact(bits, 'evenOrRecursive') ? 'recursive' : 'uneven',
  };
}

const withSideEffect = (text: string): Facts => ({
  sideEffect: new Reason('state', text),
  lasting: undefined,
  stateless: false,
  resumable: false,
  settled: 'never',
  comparesContents: false,
  evenness: 'uneven',
});
