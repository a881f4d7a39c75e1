/** Guides that infer by themselves, such as a trained network: what `guide` takes besides true and false. */
import type { Model, Posterior } from './algorithm.ts';
import type { Option } from './options.ts';

export const infersItself: unique symbol = Symbol('infers itself');

export interface InferringGuide {
  [infersItself]<T>(method: 'importance' | 'SMC' | 'MCMC', model: Model<T>, options: GuidedOptions): Posterior<T>;
}

/** What methods hand on. */
export interface GuidedOptions {
  readonly samples: number;
  readonly burn?: number;
  readonly lag?: number;
}

const isInferringGuide = (value: unknown): value is InferringGuide =>
  typeof value === 'object' && value !== null && infersItself in value;

/** The option `guide` of methods that use guides only if they infer by themselves. */
export const inferringGuide: Option<InferringGuide | undefined> = {
  expected: 'what Amortize gives',
  read: (value) => (isInferringGuide(value) ? { value } : undefined),
};

/** The option `guide` of methods that draw from guides. */
export const guideOption: Option<boolean | InferringGuide> = {
  expected: 'true, false, or what Amortize gives',
  read: (value) => (typeof value === 'boolean' || isInferringGuide(value) ? { value } : undefined),
};
