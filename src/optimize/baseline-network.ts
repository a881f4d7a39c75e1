/** A small network that learns what a weight is from numbers of a datum: one hidden layer, moved by Adam. */

const HIDDEN = 16;
const STEP = 0.03;
const [DECAY, SQUARE_DECAY, TINY] = [0.9, 0.999, 1e-8];
/** The least share that a step has in the mean and the spread of weights. At first these are taken over all steps. */
const NEW = 0.02;

export class BaselineNetwork {
  /** Weights of the hidden layer by unit, with a bias each, then those of the output, with its bias. */
  private readonly values: Float64Array;
  private readonly slopes: Float64Array;
  private readonly squares: Float64Array;
  private readonly hidden = new Float64Array(HIDDEN);
  private steps = 0;
  /** Of weights; NaN before the first step. */
  private mean = Number.NaN;
  private variance = 0;

  constructor(private readonly inputs: number) {
    const length = HIDDEN * (inputs + 1) + HIDDEN + 1;
    // Units differ, and the output starts at 0: the mean alone.
    this.values = Float64Array.from({ length }, (_, i) =>
      i < HIDDEN * (inputs + 1) ? Math.sin(12.9898 * (i + 1)) / Math.sqrt(inputs + 1) : 0,
    );
    this.slopes = new Float64Array(length);
    this.squares = new Float64Array(length);
  }

  /** Whether it has learned anything. */
  get knows(): boolean {
    return !Number.isNaN(this.mean);
  }

  predict(input: Float64Array): number {
    return this.mean + Math.sqrt(this.variance) * this.output(input);
  }

  /** Learns from the weights that data had. */
  learn(inputs: readonly Float64Array[], weights: readonly number[]): void {
    const { values, hidden } = this;
    this.follow(weights);
    const spread = Math.sqrt(this.variance) || 1;
    const gradient = new Float64Array(values.length);
    const last = HIDDEN * (this.inputs + 1);
    inputs.forEach((input, n) => {
      const error = (this.output(input) - (weights[n] - this.mean) / spread) / inputs.length;
      for (let h = 0; h < HIDDEN; h++) {
        gradient[last + h] += error * hidden[h];
        const inner = error * values[last + h] * (1 - hidden[h] ** 2);
        const row = h * (this.inputs + 1);
        for (let k = 0; k < this.inputs; k++) gradient[row + k] += inner * input[k];
        gradient[row + this.inputs] += inner;
      }
      gradient[last + HIDDEN] += error;
    });
    this.move(gradient);
  }

  private output(input: Float64Array): number {
    const { values, hidden, inputs } = this;
    const last = HIDDEN * (inputs + 1);
    let sum = values[last + HIDDEN];
    for (let h = 0; h < HIDDEN; h++) {
      const row = h * (inputs + 1);
      let inner = values[row + inputs];
      for (let k = 0; k < inputs; k++) inner += values[row + k] * input[k];
      hidden[h] = Math.tanh(inner);
      sum += values[last + h] * hidden[h];
    }
    return sum;
  }

  /** Moves the mean and the spread of weights. */
  private follow(weights: readonly number[]): void {
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
    const share = Math.max(NEW, 1 / (this.steps + 1));
    this.mean = this.knows ? this.mean + share * (mean - this.mean) : mean;
    const variance = weights.reduce((sum, weight) => sum + (weight - this.mean) ** 2, 0) / weights.length;
    this.variance += share * (variance - this.variance);
  }

  private move(gradient: Float64Array): void {
    const { values, slopes, squares } = this;
    const step = ++this.steps;
    const [first, second] = [1 - DECAY ** step, 1 - SQUARE_DECAY ** step];
    for (let i = 0; i < values.length; i++) {
      slopes[i] = DECAY * slopes[i] + (1 - DECAY) * gradient[i];
      squares[i] = SQUARE_DECAY * squares[i] + (1 - SQUARE_DECAY) * gradient[i] ** 2;
      values[i] -= (STEP * (slopes[i] / first)) / (Math.sqrt(squares[i] / second) + TINY);
    }
  }

  /** All that later steps need, as numbers. */
  *save(): Iterable<number> {
    yield* [this.inputs, this.steps, this.mean, this.variance];
    for (const part of [this.values, this.slopes, this.squares]) yield* part;
  }

  static restored(numbers: readonly number[]): BaselineNetwork {
    const [inputs, steps, mean, variance, ...rest] = numbers;
    const network = new BaselineNetwork(inputs);
    Object.assign(network, { steps, mean, variance });
    const { length } = network.values;
    [network.values, network.slopes, network.squares].forEach((part, k) => {
      part.set(rest.slice(k * length, (k + 1) * length));
    });
    return network;
  }
}
