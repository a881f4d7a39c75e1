/** The factors that the sum of earlier choices is multiplied by, for the network in use: see `GATES`. */
import { embeddingOf } from './embedding.ts';
import type { Parameters } from './parameters.ts';
import { addProduct } from './plain-products.ts';
import type { Key } from './sites.ts';
import { EMBEDDING, GATES } from './sizes.ts';

/** For each number of a token, as the choice is added and as the sum is read. */
type Gate = readonly [entry: Float64Array, exit: Float64Array];

export class Gates {
  private readonly known = new Map<Key, Gate>();

  constructor(
    private readonly parameters: Parameters,
    private readonly token: number,
  ) {}

  at(key: Key): Gate {
    let found = this.known.get(key);
    if (found === undefined) {
      const place = embeddingOf(this.parameters, 'site', key.site.number, 'position', key.positions);
      const [entry, exit] = GATES.map((name) => {
        const gate = new Float64Array(this.token).fill(1);
        addProduct(place, 0, this.parameters.get(name), EMBEDDING, this.token, gate);
        return gate;
      });
      found = [entry, exit];
      this.known.set(key, found);
    }
    return found;
  }
}
