import type { Trace } from '../inference/chains/trace.ts';
import type { Address } from '../runtime/address.ts';

/** The same way from another starting point. */
function moved(address: Address, from: Address, to: Address): Address {
  if (address === from) return to;
  if (address.parent === null) throw new Error('an address outside the execution it belongs to');
  const above = moved(address.parent, from, to);
  return typeof address.key === 'number' && address.key < 0 ? above.index(~address.key) : above.at(address.key);
}

/** The values of a recorded execution, by the addresses that its choices have in executions from another entry. */
export function valuesFrom(trace: Trace<unknown>, entry: Address): Map<Address, unknown> {
  const values = new Map<Address, unknown>();
  for (let i = 0; i < trace.length; i++) {
    const { address, value } = trace.choices[i];
    values.set(moved(address, trace.entry, entry), value);
  }
  return values;
}
