import { type Continuous, coordinatesOf } from '../../../guides/coordinates/coordinates.ts';
import type { Address } from '../../../runtime/address.ts';
import type { Distribution } from '../../../runtime/handler.ts';
import { sameValue } from '../../../runtime/values.ts';
import { type Shape, sizeOf } from '../../../tensor/shape.ts';
import { Tensor } from '../../../tensor/tensor.ts';
import type { Trace } from '../trace.ts';

/** What a trajectory keeps of a choice. */
interface Site {
  readonly address: Address;
  readonly family: string;
  /** The value of a discrete choice, which stays; of a continuous one, an example of its dims. */
  readonly value: unknown;
  readonly continuous: boolean;
  /** Where in the position the coordinates of a continuous choice are. */
  readonly offset: number;
  readonly shape: Shape;
}

/** The choices of an execution in order, and where each continuous one is in unconstrained space. */
export class Layout {
  readonly sites: readonly Site[];
  readonly dimension: number;

  constructor(trace: Trace<unknown>) {
    const sites: Site[] = [];
    let offset = 0;
    for (let i = 0; i < trace.length; i++) {
      const { address, distribution, value } = trace.choices[i];
      // What was chosen before a proposal boundary stays as it is.
      const continuous = i >= trace.boundary && distribution.isContinuous;
      const shape = continuous ? coordinatesOf(distribution, value as Continuous).shape : [];
      sites.push({ address, family: distribution.name, value, continuous, offset, shape });
      if (continuous) offset += sizeOf(shape);
    }
    this.sites = sites;
    this.dimension = offset;
  }

  /** Whether an execution has the same choices, and the same values where they are discrete. */
  fits(trace: Trace<unknown>): boolean {
    const { sites } = this;
    if (trace.length !== sites.length) return false;
    for (let i = 0; i < sites.length; i++) {
      const site = sites[i];
      const { address, distribution, value } = trace.choices[i];
      if (site.address !== address || site.family !== distribution.name) return false;
      if (site.continuous !== (i >= trace.boundary && distribution.isContinuous)) return false;
      if (!site.continuous && !sameValue(site.value, value)) return false;
      if (value instanceof Tensor && !sameDims(value, site.value as Tensor)) return false;
    }
    return true;
  }

  /** Whether the continuous choices are the same, whatever else there is. */
  sharesSpaceWith(other: Layout): boolean {
    const own = this.sites.filter((site) => site.continuous);
    const others = other.sites.filter((site) => site.continuous);
    return (
      this.dimension === other.dimension &&
      own.length === others.length &&
      own.every(({ address, offset }, i) => address === others[i].address && offset === others[i].offset)
    );
  }

  /** The i-th choice, if it is the one expected there. */
  siteFor(i: number, address: Address, distribution: Distribution<unknown>): Site | undefined {
    const site = this.sites[i];
    return site?.address === address && site.family === distribution.name ? site : undefined;
  }

  /** Writes the point at which the values of a fitting execution are. */
  locate(trace: Trace<unknown>, position: Float64Array): void {
    const { sites } = this;
    for (let i = 0; i < sites.length; i++) {
      const { continuous, offset } = sites[i];
      if (!continuous) continue;
      const { distribution, value } = trace.choices[i];
      const point = coordinatesOf(distribution, value as Continuous).locate(value as Continuous) as Continuous;
      if (typeof point === 'number') position[offset] = point;
      else position.set(point.data, offset);
    }
  }
}

function sameDims(a: Tensor, b: Tensor): boolean {
  return a.rank === b.rank && a.dims.every((d, i) => d === b.dims[i]);
}

/** The coordinates of a site at a position. */
export function pointAt({ shape, offset }: Site, position: Float64Array): Continuous {
  if (shape.length === 0) return position[offset];
  return new Tensor(shape, position.slice(offset, offset + sizeOf(shape)));
}
