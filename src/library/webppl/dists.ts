import * as families from '../../distributions/index.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { deserializeDist, serializeDist } from '../dist-functions.ts';

type Constructors = { readonly [name: string]: (params: object) => Distribution<unknown> };

/** `makeGaussian` and the like, WebPPL's other names of the constructors. */
const makers = Object.fromEntries(
  Object.entries(families).map(([name, construct]) => [`make${name}`, construct]),
) as unknown as Makers;

type Makers = { readonly [name: `make${string}`]: (params: object) => Distribution<unknown> };

interface DistFunctions {
  readonly isDist: typeof isDistribution;
  readonly clone: <V>(dist: Distribution<V>) => Distribution<V>;
  readonly serialize: typeof serializeDist;
  readonly deserialize: typeof deserializeDist;
  readonly metadata: readonly { readonly name: string; readonly params: readonly { readonly name: string }[] }[];
}

/** A distribution of the same family with the same parameters. */
function clone<V>(dist: Distribution<V>): Distribution<V> {
  const construct = (families as unknown as Constructors)[dist.name];
  if (construct === undefined || !('family' in construct)) {
    throw new WaymarkError(`dists.clone needs a distribution of a family, got ${describe(dist)}.`);
  }
  return construct(dist.params) as Distribution<V>;
}

/** WebPPL's object of all distributions. */
export const dists: typeof families & Makers & DistFunctions = {
  ...families,
  ...makers,
  isDist: isDistribution,
  clone,
  serialize: serializeDist,
  deserialize: deserializeDist,
  /** Names and parameters of all families. */
  metadata: Object.values(families).flatMap((construct) => {
    if (typeof construct !== 'function' || !('family' in construct)) return [];
    const { name, params } = construct.family as { name: string; params?: object };
    return [{ name, params: Object.keys(params ?? {}).map((parameter) => ({ name: parameter })) }];
  }),
};
