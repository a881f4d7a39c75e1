/**
 * What `list.filter(keep)` gives where the answers of `keep` depend on choices. Most programs only ask how many there are: that is a sum of the answers, and
 * the recording holds for any of them. A program that reads anything else of the list looks at the answers.
 */
import { OneByOne } from '../../runtime/signals.ts';
import { fromNode, Recorded, tableOf, tape, truth } from './recorded.ts';

interface Kept {
  readonly items: readonly unknown[];
  readonly answers: readonly unknown[];
}

const known = new WeakMap<object, Kept>();

/** The items of a list with the answers given for them; an ordinary list if these depend on nothing. */
export function keptOf(items: readonly unknown[], answers: readonly unknown[]): unknown[] {
  const isOpen = answers.some((answer) => answer instanceof Recorded || tableOf(answer) !== undefined);
  if (!isOpen) return items.filter((_, i) => Boolean(answers[i]));
  const kept = { items, answers };
  const target: unknown[] = [];
  const list = new Proxy(target, trapsOf(kept, target));
  known.set(list, kept);
  return list;
}

/** Looks at the answers, as part of what is recorded now. */
const itemsOf = ({ items, answers }: Kept): unknown[] => items.filter((_, i) => truth(answers[i]));

/** Whatever is read of the list, it is found in the target as it is now. */
function trapsOf(kept: Kept, target: unknown[]): ProxyHandler<unknown[]> {
  const read =
    <A extends unknown[], R>(of: (target: object, ...args: A) => R) =>
    (_target: object, ...args: A): R => {
      target.splice(0, target.length, ...itemsOf(kept));
      return of(target, ...args);
    };
  const refuse = (): never => {
    throw new OneByOne('state', 'a list is changed whose items depend on choices');
  };
  return {
    get: read(Reflect.get),
    has: read(Reflect.has),
    ownKeys: read(Reflect.ownKeys),
    getOwnPropertyDescriptor: read(Reflect.getOwnPropertyDescriptor),
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
  };
}

/** How many there are in such a list; undefined of another value. */
export function countOf(list: unknown): unknown {
  const kept = typeof list === 'object' && list !== null ? known.get(list) : undefined;
  if (kept === undefined) return undefined;
  const t = tape();
  const nodes = kept.answers.map((answer) => {
    const own = tableOf(answer)?.derive(Boolean) ?? answer;
    if (!(own instanceof Recorded)) return t.constant(own ? 1 : 0);
    return own.isTruth ? own.node : t.truthy(own.node);
  });
  return fromNode(
    nodes.reduce((total, node) => t.operate('add', total, node), t.constant(0)),
    false,
  );
}

/** A list that the program may change is an ordinary one. */
export function settled(made: unknown): unknown {
  const kept = typeof made === 'object' && made !== null ? known.get(made) : undefined;
  return kept === undefined ? made : itemsOf(kept);
}
