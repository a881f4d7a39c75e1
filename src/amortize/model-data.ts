/** Finds the data that a model already has, by what it observes. */
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, Entry } from '../runtime/execution.ts';
import type { Distribution, Handler } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { Learned } from './amortized.ts';
import { tokensOf } from './data-shape.ts';
import { putAt, type Source } from './observed-sources.ts';

/** Executions in which a model shows what it observes. */
const EXECUTIONS = 8;

export function dataOfModel(model: () => unknown, { sources, sites, example, shape }: Learned): unknown {
  const patterns = new Set([...sources.bySite.values()].map((source) => source?.map(pattern).join('.')));
  const unobserved = tokensOf(example, shape.points)
    .flatMap(({ leaves }) => leaves)
    .find(({ place }) => !patterns.has(place.map((key) => (typeof key === 'number' ? '*' : key)).join('.')));
  if (unobserved !== undefined || [...sources.bySite.values()].includes(null)) {
    const part = unobserved === undefined ? 'a part' : `'${unobserved.place.join('.')}'`;
    throw new WaymarkError(
      `Infer cannot find the data in the model: ${part} of them is never observed, or not in a way that can be told. ` +
        'Give them to the guide, as in guide: net.given(data), or use net.posterior(data).',
    );
  }
  const entry = new Entry();
  // Of choices alone, those around observations may be missing.
  const roots = new Set([...sites.roots, ...sources.roots]);
  const watching = new Watching((address, value) => {
    const place = sources.placeOf(address, entry.address, roots);
    if (place !== null) watching.data = putAt(watching.data, place, value);
  });
  let ended = 0;
  for (let i = 0; i < EXECUTIONS; i++) {
    if (entry.execute(watching, model, entry.streamOf(i)) !== abandoned) ended++;
  }
  if (ended === 0 || watching.data === undefined) {
    throw new WaymarkError(
      'Infer cannot find the data in the model: it observes nothing that the network was trained on. The model must call ' +
        'the one that was given to Amortize, as in model: () => model(data).',
    );
  }
  return watching.data;
}

const pattern = (source: Source): string => (typeof source === 'string' ? source : '*');

/** Draws choices from the program, and looks at what it observes. */
class Watching implements Handler {
  readonly name = 'Amortize';
  readonly synthesises = true;
  data: unknown = undefined;

  constructor(private readonly notice: (address: Address, value: unknown) => void) {}

  sample<V>(target: Distribution<V>): V {
    return target.draw(machine.stream.begin());
  }

  factor(): void {}

  observe<V>(_distribution: Distribution<V>, value: V, address: Address): void {
    this.notice(address, value);
  }
}
