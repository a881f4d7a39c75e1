/** What library names mean while an execution is recorded, where that is not what their rows say (`src/algebra/library.ts`). */
import type { Fn } from '../../algebra/domain.ts';
import { type LibraryWay, libraryFor, type Names } from '../../algebra/library.ts';
import type { LibraryRows } from '../../algebra/library-row.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { calls } from './calls.ts';
import { constructorOf } from './distribution.ts';
import { keptOf } from './filtered-lists.ts';
import { choose } from './operators.ts';
import { get } from './picking.ts';
import {
  holdsRecorded,
  isNumeric,
  looked,
  type Numeric,
  operate,
  type Recorded,
  recordedDomain,
  recording,
  tableOf,
} from './recorded.ts';
import type { Recorder } from './recorder.ts';

/** Numbers put together one after the other, as the library does; `plain` for lists of anything else. */
function foldRecorded(
  plain: unknown,
  name: 'add' | 'mul',
  start: number,
  end: (total: Numeric, length: number) => Numeric = (total) => total,
): Fn {
  return (...args) => {
    const [list] = args;
    if (args.length !== 1 || !Array.isArray(list) || !list.every(isNumeric) || !holdsRecorded(list)) {
      return calls.pure(plain as Fn)(...args);
    }
    let total: Numeric = start;
    for (const item of list) total = operate(name, false, total, item);
    return end(total, list.length);
  };
}

/** The items that a function keeps: its answers may be recorded. It is called as `map` calls it, with the same addresses. */
const filterRecorded =
  ({ filter, map }: Names): Fn =>
  (...args) => {
    const [keep, list] = args;
    const isList = Array.isArray(list) && tableOf(list) === undefined;
    if (!isList || typeof keep !== 'function' || tableOf(keep) !== undefined)
      return (filter as Fn)(calls.answering(keep), Array.isArray(list) ? list : looked(list));
    const items: readonly unknown[] = Array.from(list);
    return keptOf(items, (map as Fn)(calls.called(keep), items) as unknown[]);
  };

const NAMES: LibraryWay['names'] = {
  filter: filterRecorded,
  sum: ({ sum }) => foldRecorded(sum, 'add', 0),
  product: ({ product }) => foldRecorded(product, 'mul', 1),
  listMean: ({ listMean }) => foldRecorded(listMean, 'add', 0, (total, n) => operate('div', false, total, n)),
};

/** Those of functions that infer which say themselves what can be recorded (`inference/recorded-inferences.ts`). */
const RECORDED: ReadonlySet<string> = new Set(['Infer', 'Enumerate']);

/** Functions that execute a model, or look at parameters. */
const unrecorded =
  (plain: Fn, name: string): Fn =>
  (...args) => {
    if (recording.tape !== null) throw new OneByOne('library', `${name} is called`);
    return plain(...args);
  };

/**
 * Those that are recorded for a chain alone. Paths of an enumeration mostly need another inference each, which takes less time where the model is
 * executed.
 */
const recordedForChains = (plain: Fn, name: string): Fn => {
  const refused = unrecorded(plain, name);
  return (...args) =>
    (machine.handler as Partial<Recorder>).holdsValues === false ? refused(...args) : plain(...args);
};

const way: LibraryWay = {
  domain: recordedDomain,
  calls,
  names: NAMES,
  deeds: {
    infers: (plain, name) => (RECORDED.has(name) ? recordedForChains : unrecorded)(plain, name),
    evaluates: unrecorded,
  },
  family: (name, plain) => constructorOf(name, plain as never),
  draws: (fn) => fn,
  choose,
  get,
  checkScore(score) {
    if ((score as Recorded).isTruth) throw new OneByOne('weights', 'a score is not a number');
  },
};

/** The library for recordings, from the library as it is. */
export const recordedLibrary = (library: Names, rows: LibraryRows): Names => libraryFor(way, library, rows);
