/** Objectives that run what belongs to a datum several times, and weigh these samples against each other. */

export interface Sampling {
  /** How many samples. */
  readonly count: number;
  /**
   * What is improved. `bound`: the mean weight's logarithm, by its own gradient (IWAE; Burda, Grosse & Salakhutdinov 2016). `wake`:
   * the model and the guides by their scores on the samples, in proportion to the samples' weights (reweighted wake–sleep; Bornschein &
   * Bengio 2015).
   */
  readonly kind: 'bound' | 'wake';
  /** How much guides learn from the samples under `wake`. */
  readonly guides: number;
  /** What samples are of, if the program's author said so: single data of `mapData`, or whole executions. */
  readonly per: 'datum' | 'execution' | undefined;
}

/** What an execution is told of it. */
export interface SamplingNow extends Pick<Sampling, 'count' | 'kind'> {
  /** Whether samples are of single data: then an execution makes them within its data passes. */
  readonly perDatum: boolean;
}
