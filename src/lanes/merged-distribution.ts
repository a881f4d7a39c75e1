/** One distribution for all lanes from those of groups: the results of sides of a conditional. */
import type { Params } from '../algebra/families.ts';
import { mergedParams } from '../algebra/merging.ts';
import { BaseDistribution } from '../distributions/distribution.ts';
import type { Distribution } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isNumeric } from '../tensor/node.ts';

/** Of one family with parameters that are numbers or tensors: the distribution whose parameters are merged; undefined of others. */
export function mergedFamily(
  distributions: readonly Distribution<unknown>[],
  merge: (values: readonly unknown[]) => unknown,
): Distribution<unknown> | undefined {
  const params = mergedParams(distributions, merge, isNumeric);
  return params && lifting.current!.distribution(distributions[0].name, params);
}

/** Distributions of several families: each scores the values of the lanes that have it. It cannot be drawn from. */
export class OneOfSeveral extends BaseDistribution<unknown> {
  readonly params: Params;
  readonly name: string;
  readonly isContinuous: boolean;

  constructor(
    distributions: readonly Distribution<unknown>[],
    /** What a function of the groups' distributions gives for all lanes. */
    private readonly together: (of: (distribution: Distribution<unknown>) => unknown) => unknown,
  ) {
    super();
    this.params = { distributions };
    this.name = [...new Set(distributions.map(({ name }) => name))].join(' or ');
    this.isContinuous = distributions.every(({ isContinuous }) => isContinuous);
  }

  draw(): never {
    throw new OneByOne('family', `a choice is from ${this.name}, as a condition says`);
  }

  score(value: unknown): number {
    return this.together((distribution) => distribution.score(lifting.current!.narrowed(value))) as number;
  }
}
