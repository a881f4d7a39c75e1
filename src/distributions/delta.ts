import { settled } from '../runtime/force.ts';
import type { Distribution } from '../runtime/handler.ts';
import { sameValue } from '../runtime/values.ts';
import { type Constructor, type FamilyBehaviour, family } from './family.ts';
import { anything } from './parameter.ts';
import { anyValue } from './value-kind.ts';

const untyped = family(
  { name: 'Delta', params: { v: anything }, values: anyValue },
  {
    draw: ({ v }) => v,
    // Under gradients, what is compared is looked at, unless it is the very value.
    score: ({ v }, value) => (v === value || sameValue(settled(v), settled(value)) ? 0 : -Infinity),
    support: ({ v }): readonly unknown[] => [v],
    entropy: () => 0,
    reparameterisation: {
      base: ({ v }): Distribution<unknown> => untyped({ v }),
      transform: ({ v }) => v,
    },
  },
);

/** Always the value `v`. Values are compared by structure. */
export const Delta = untyped as {
  <V>(params: {
    v: V;
  }): ReturnType<
    Constructor<
      { v: V },
      V,
      { v: V },
      Pick<Required<FamilyBehaviour<{ v: V }, V, never>>, 'support' | 'entropy' | 'reparameterisation'>
    >
  >;
  readonly family: typeof untyped.family;
};
