/** The joint guides of each kind, and the one that an optimisation asks for. */
import type { Address } from '../../runtime/address.ts';
import { machine } from '../../runtime/machine.ts';
import type { Extent, JointKind } from './conditional.ts';
import { type FlowSizes, flow } from './flow.ts';
import { fullRank } from './full-rank.ts';
import type { KindName } from './kind-names.ts';
import { lowRank } from './low-rank.ts';
import { point } from './point.ts';
import type { Preceding } from './preceding-choices.ts';

/** What `Optimize` may be asked for. */
export type AutoGuideName = 'meanField' | 'network' | KindName;

/** A choice that has met a guide of the kind asked for. */
export interface MetChoice {
  readonly address: Address;
  readonly place: string;
  readonly extent: Extent;
  readonly line: Preceding;
}

/** What an optimisation asks for: kept in `machine.jointGuide`. */
export interface AskedGuide {
  readonly name: KindName;
  /** Null if guides are independent of each other. */
  readonly kind: JointKind | null;
  /** By place, in the order in which they were met first. */
  readonly met: Map<string, MetChoice>;
  /** Whether all data are looked at, whatever minibatches the program asks for. */
  whole: boolean;
}

export const askedGuide = (): AskedGuide | null => machine.jointGuide as AskedGuide | null;

/** The number of factors, where a program gives none. */
export const STANDARD_RANK = 10;

/** A kind of joint guide with these sizes; without sizes, with those of the parameters that have been learned. */
export function kindNamed(
  name: KindName,
  sizes?: Partial<FlowSizes> & { readonly rank?: number },
): { readonly name: KindName; readonly kind: JointKind } {
  switch (name) {
    case 'fullRank':
      return { name, kind: fullRank };
    case 'lowRank':
      return { name, kind: lowRank(sizes?.rank) };
    case 'flow':
      return { name, kind: flow(sizes as FlowSizes | undefined) };
    case 'laplace':
      return { name, kind: point };
  }
}
