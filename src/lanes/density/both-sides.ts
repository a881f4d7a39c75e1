/**
 * Conditionals on values that depend on choices, while an execution is recorded. If neither side makes a choice, both are recorded: the one
 * that is taken, and then the other one on trial, with everything as it was before. What they give, what they leave in variables and in objects of the
 * execution's own, and what they score is then selected by the condition, and what has to hold on a side has to hold only where it is
 * taken. So a recording holds for either way. Where a side makes a choice, or does what cannot be selected, nothing is left of the
 * trial, and the condition becomes a guard.
 */
import { mergedParams } from '../../algebra/merging.ts';
import { during, machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { type Contents, contentsOf, fill, sameNames } from '../contents.ts';
import { OneOfTwo, RecordedDistribution } from './distribution.ts';
import { fromNode, isNumeric, isTruth, nodeOf, type Recorded, tape } from './recorded.ts';
import { oneOf } from './tables.ts';
import type { Statement, Tape } from './tape.ts';

/** Variables that the sides change: all of them are read, and written, at once. */
export interface Variables {
  read(): unknown[];
  write(values: unknown[]): void;
}

const NO_VARIABLES: Variables = { read: () => [], write: () => {} };

/** The most fields and items of objects that are noted for a conditional. */
const MOST_NOTED = 500;

/** For values of the two sides that differ and cannot be selected. */
const unmergeable = (): OneByOne => new OneByOne('courses', 'sides of a condition give values of different kinds');

/** The contents of objects of the execution's own, and of its store. */
class Notes {
  private constructor(private readonly noted: ReadonlyMap<object, Contents>) {}

  /** Null if there are too many contents. */
  static take(objects: Iterable<object>): Notes | null {
    const noted = new Map<object, Contents>();
    let count = 0;
    for (const object of objects) {
      const contents = contentsOf(object);
      count += contents.keys.length + 1;
      if (count > MOST_NOTED) return null;
      noted.set(object, contents);
    }
    return new Notes(noted);
  }

  /** The same objects as they are now. */
  now(): Notes {
    return new Notes(new Map([...this.noted.keys()].map((object) => [object, contentsOf(object)])));
  }

  restore(): void {
    for (const [object, contents] of this.noted) if (!isSame(contentsOf(object), contents)) fill(object, contents);
  }

  /** The contents by the condition, selected from those that the two sides left. */
  merged(other: Notes, merge: Merge): Notes {
    const both = [...this.noted].map(([object, contents]) => {
      const others = other.noted.get(object)!;
      if (isSame(contents, others)) return [object, contents] as const;
      if (!sameNames(contents, others)) throw unmergeable();
      const values = contents.values.map((value, i) => merge(value, others.values[i]));
      return [object, { keys: contents.keys, values }] as const;
    });
    return new Notes(new Map(both));
  }
}

const isSame = (a: Contents, b: Contents): boolean =>
  sameNames(a, b) && a.values.every((value, i) => Object.is(value, b.values[i]));

type Merge = (taken: unknown, other: unknown) => unknown;

/** Selects a value by a condition, from that of the side taken now and that of the other one. */
const mergeBy =
  (t: Tape, condition: number): Merge =>
  (taken, other) => {
    if (Object.is(taken, other)) return taken;
    if (isNumeric(taken) && isNumeric(other) && isTruth(taken) === isTruth(other))
      return fromNode(t.operate('select', condition, nodeOf(taken), nodeOf(other)), isTruth(taken));
    if (!isDistribution(taken) || !isDistribution(other)) {
      const either = oneOf(condition, taken, other);
      if (either === undefined) throw unmergeable();
      return either.value;
    }
    const merge = mergeBy(t, condition);
    const differing = [taken, other].find((one) => one instanceof RecordedDistribution);
    const params = differing && mergedParams([taken, other], ([a, b]) => merge(a, b), isNumeric);
    return params ? differing.with(params) : new OneOfTwo(fromNode(condition, true), taken, other);
  };

/** A conditional, and the variables that its sides change. */
export function decideBoth(
  condition: Recorded,
  then: () => unknown,
  otherwise: () => unknown,
  { read, write }: Variables = NO_VARIABLES,
): unknown {
  const t = tape();
  const truth = condition.isTruth ? condition.node : t.truthy(condition.node);
  const holds = t.values[truth] !== 0;
  const taken = holds ? truth : t.operate('not', truth);
  const [side, other] = holds ? [then, otherwise] : [otherwise, then];
  const variables = read();
  const notes = t.mayTry ? Notes.take([...t.owned, machine.store]) : null;
  const { length } = t.statements;
  const { effects } = t;
  const { address, stream } = machine;
  const taking = (ours: readonly Statement[]): void => {
    t.check(taken);
    t.restate(ours);
  };
  let value: unknown;
  try {
    value = side();
  } catch (thrown) {
    // What is thrown here is thrown for those alone that take this side.
    taking(t.takeBack(length));
    throw thrown;
  }
  const ours = t.takeBack(length);
  const after = read();
  if (notes !== null && effects === t.effects) {
    const left = notes.now();
    notes.restore();
    write(variables);
    const tried = during({ execution: --machine.sides, address, stream }, () => t.trial(other));
    const theirs = t.takeBack(length);
    try {
      if (tried !== undefined) {
        const merge = mergeBy(t, taken);
        const given = merge(value, tried.value);
        const both = read().map((one, i) => merge(after[i], one));
        const contents = left.merged(notes.now(), merge);
        t.restate(ours, (node, none) => t.operate('select', taken, node, none));
        t.restate(theirs, (node, none) => t.operate('select', taken, none, node));
        write(both);
        contents.restore();
        return given;
      }
    } catch (thrown) {
      if (!(thrown instanceof OneByOne)) throw thrown;
    }
    t.takeBack(length);
    left.restore();
    write(after);
  }
  taking(ours);
  return value;
}
