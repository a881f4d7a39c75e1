/** The datum that automatic guides look at, where they are networks of it: see `datum-network.ts`, which is loaded with the engine. */
import { machine } from '../runtime/machine.ts';
import type { Value } from '../tensor/node.ts';

/** The datum that a function given to `mapData` is called with. */
export interface DatumInView {
  /** Where `mapData` is called, as names of parameters begin. */
  readonly place: string;
  readonly datum: unknown;
  /** What the network makes of it, computed when it is first read. */
  hidden: Value | null;
}

/** The name of a layer's weights. */
export const layerName = (place: string, name: string): string => `${place}$network$${name}`;

/** Calls a function with data. Automatic guides see the datum if a network is being learned, or has been. */
export function inView<A, B>(fn: (datum: A, index: number) => B): (datum: A, index: number) => B {
  const place = machine.address.relativeTo(machine.base);
  if (!machine.guidesByNetwork && !machine.params.has(layerName(place, 'first'))) return fn;
  return (datum, index) => {
    const { datum: before } = machine;
    machine.datum = { place, datum, hidden: null } satisfies DatumInView;
    try {
      return fn(datum, index);
    } finally {
      machine.datum = before;
    }
  };
}
