/**
 * Expectations under distributions, or of functions, that differ between executions. The function is called for all
 * executions at once; the library then computes with the values of each execution.
 */
import type { Address } from '../../runtime/address.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { differs, fromLanes, lanesOf } from './column.ts';
import { current } from './group.ts';

type Fn = (...args: unknown[]) => unknown;

/** A call of the function: its argument, and its address. */
interface Call {
  readonly value: unknown;
  readonly address: Address;
}

/** `expectation(dist, fn)`, made from the plain function. */
export function expectationColumns(plain: Fn): Fn {
  return (dist, fn) => {
    if (current.columns === null) return plain(dist, fn);
    if (typeof fn !== 'function')
      return differs(dist) ? fromLanes(lanesOf(dist).map((one) => plain(one))) : plain(dist);
    const { address } = machine;
    const lanes = differs(dist) ? lanesOf(dist) : null;
    const calls = lanes === null ? callsFor(plain, dist) : callsOfAll(lanes.map((one) => callsFor(plain, one)));
    const values = calls.map((call) => {
      machine.address = call.address;
      return (fn as Fn)(call.value);
    });
    machine.address = address;
    const columns = values.map((value) => (differs(value) ? lanesOf(value) : null));
    const average = (one: unknown, lane: number): unknown => {
      let k = -1;
      return plain(one, () => {
        k++;
        return columns[k] === null ? values[k] : columns[k]![lane];
      });
    };
    if (lanes !== null) return fromLanes(lanes.map(average));
    const differing = columns.find((column) => column !== null);
    return differing ? fromLanes(differing.map((_, lane) => average(dist, lane))) : average(dist, 0);
  };
}

/** The calls of the function that the expectation under a distribution asks for. */
function callsFor(plain: Fn, dist: unknown): Call[] {
  const calls: Call[] = [];
  plain(dist, (value: unknown) => {
    calls.push({ value, address: machine.address });
    return 0;
  });
  return calls;
}

/** The calls of all executions as one list: all of them make their calls at the same places. */
function callsOfAll(each: readonly (readonly Call[])[]): Call[] {
  const [first] = each;
  const isAlike = (calls: readonly Call[]): boolean =>
    calls.length === first.length && calls.every(({ address }, k) => address === first[k].address);
  if (!each.every(isAlike))
    throw new OneByOne('family', 'expectation is asked of distributions over different numbers of values');
  return first.map(({ address }, k) => ({ address, value: fromLanes(each.map((calls) => calls[k].value)) }));
}
