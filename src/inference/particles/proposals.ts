/** What choices are drawn from instead of their own distributions: guides. */
import { followed, givenGuide } from '../../guides/guide-of.ts';
import { isJoint } from '../../guides/joint/preceding-choices.ts';
import { LearnedGuides } from '../../guides/learned-guides.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';

/** The distribution that a choice is drawn from instead of its own, or undefined for its own. */
export type Proposal = (
  distribution: Distribution<unknown>,
  options: SampleOptions<unknown> | undefined,
  address: Address,
) => Distribution<unknown> | undefined;

/** Draws from the guides that a program gives. */
export const fromGuide: Proposal = (distribution, options, address) =>
  options?.guide === undefined ? undefined : givenGuide(distribution, options.guide, address, options.guideSamples);

/** Draws from automatic guides too, as far as they have been learned. */
export function fromAnyGuide(): Proposal {
  const guides = new LearnedGuides();
  return (distribution, options, address) => guides.of(distribution, options, address);
}

/** Tells of a choice that was made earlier. A guide may leave something in the store for later ones, and those of later choices may depend on it. */
export function remind<V>(
  proposal: Proposal | null,
  distribution: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
  value: V,
): V {
  if (typeof options?.guide === 'function' || isJoint()) {
    followed(proposed(proposal, distribution, options, address))?.chosen(value);
  }
  return value;
}

/** What a proposal gives at a choice. The program goes on from where it is. */
export function proposed<V>(
  proposal: Proposal | null,
  distribution: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
): Distribution<V> | undefined {
  if (proposal === null) return undefined;
  const outer = machine.address;
  const found = proposal(distribution as Distribution<unknown>, options as SampleOptions<unknown>, address);
  machine.address = outer;
  return found as Distribution<V> | undefined;
}
