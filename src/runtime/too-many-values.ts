import { WaymarkError } from './errors.ts';

/** A support that is too large to be listed. */
export class TooManyValues extends WaymarkError {
  readonly #count: string;

  /** The number of values is given in words. */
  constructor(name: string, count: string) {
    super(
      `This ${name} has ${count} values, too many to list. Use a method that draws samples (MCMC, SMC, rejection).`,
    );
    this.#count = count;
  }

  get count(): string {
    return this.#count;
  }
}
