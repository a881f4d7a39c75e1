/** The option `autoGuide`: what automatic guides are. */
import { type AutoGuideName, STANDARD_RANK } from '../guides/joint/asked-guide.ts';
import { type FlowSizes, STANDARD_FLOW } from '../guides/joint/flow.ts';
import { count, type Option, type OptionTable, variant, withDefault } from '../inference/options.ts';

/** What kinds may be told, for those that have sizes. */
interface Sizes {
  readonly lowRank: { rank: number };
  readonly flow: FlowSizes;
}

/** The kinds, with what each may be told. */
export const autoGuides: {
  readonly [Name in AutoGuideName]: { readonly options: OptionTable<Name extends keyof Sizes ? Sizes[Name] : object> };
} = {
  meanField: { options: {} },
  network: { options: {} },
  fullRank: { options: {} },
  lowRank: { options: { rank: withDefault(count(1), STANDARD_RANK) } },
  flow: {
    options: {
      hidden: withDefault(count(1), STANDARD_FLOW.hidden),
      bins: withDefault(count(2), STANDARD_FLOW.bins),
    },
  },
  laplace: { options: {} },
};

/** A kind, with its sizes. */
export interface AutoGuide {
  readonly name: AutoGuideName;
  readonly options: Partial<FlowSizes> & { readonly rank?: number };
}

const entries = Object.entries(autoGuides).map(([name, { options }]) => [name, options]);

export const autoGuideOption: Option<AutoGuide | undefined> = withDefault(
  variant<AutoGuideName>('autoGuide', Object.fromEntries(entries)) as Option<AutoGuide | undefined>,
  undefined,
);
