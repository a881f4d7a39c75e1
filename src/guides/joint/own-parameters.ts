import { machine } from '../../runtime/machine.ts';
import type { Value } from '../../tensor/node.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { param } from '../param.ts';
import { kindNamed } from './asked-guide.ts';
import type { Extent, JointKind, Own } from './conditional.ts';
import { type KindName, learnedBy, learnedOf, stemOf } from './kind-names.ts';

/**
 * Endings of the names of parameters. Those of vectors have their length in them, since a choice may have several
 * lengths.
 */
const suffix = ({ size, scalar }: Extent): string => (scalar ? '' : `$${size}`);

/** The parameters that a joint guide has for one choice, named after the choice. */
export class OwnParameters implements Own {
  private readonly stem: string;

  constructor(
    place: string,
    name: KindName,
    private readonly extent: Extent,
    /** Whether missing parameters are made. */
    private readonly declares: boolean,
  ) {
    this.stem = stemOf(place, learnedBy(name));
  }

  /** The kind of guide that a choice has parameters of. */
  static learned(place: string, extent: Extent): { readonly name: KindName; readonly kind: JointKind } | undefined {
    const one = place.replaceAll('[*]', '[0]');
    const name = learnedOf(one, (stem) => machine.params.has(`${stem}mu${suffix(extent)}`));
    return name && kindNamed(name);
  }

  static nameOf(place: string, part: string, extent: Extent): string {
    return `${stemOf(place, 'fullRank')}${part}${suffix(extent)}`;
  }

  /** The name of one that belongs to the list of choices before. */
  static nameAfter(place: string, part: string, extent: Extent): string {
    return `${OwnParameters.nameOf(place, part, extent)}$${(extent.hash >>> 0).toString(36)}`;
  }

  private name(part: string): string {
    return this.stem + part + suffix(this.extent);
  }

  number(name: string): Value {
    return param({ name: this.name(name), mu: 0, sigma: 0 });
  }

  tensor(name: string, dims: readonly number[], sigma = 0): Value {
    return declared(this.name(name), dims, sigma);
  }

  after(name: string, dims: readonly number[], sigma = 0): Value | null {
    const full = `${this.name(name)}$${(this.extent.hash >>> 0).toString(36)}`;
    if (!this.declares && !machine.params.has(full)) return null;
    const known = machine.params.get(full);
    return declared(full, known?.dims ?? dims, sigma);
  }

  dimsOf(name: string): readonly number[] | undefined {
    return machine.params.get(this.name(name).replaceAll('[*]', '[0]'))?.dims;
  }
}

function declared(name: string, dims: readonly number[], sigma: number): Value {
  if (sigma > 0) return param({ name, dims, mu: 0, sigma }) as Value;
  return param({
    name,
    dims,
    init: (d) => new Tensor([...d], new Float64Array(sizeOf(d))),
  }) as Value;
}
