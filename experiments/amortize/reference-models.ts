// Models of posteriordb whose priors can be drawn from, as functions of their data.
import {
  Beta,
  Gamma,
  Gaussian,
  gaussian,
  HalfCauchy,
  HalfNormal,
  idMatrix,
  LogNormal,
  logNormal,
  Matrix,
  Mixture,
  observe,
  Poisson,
  sample,
  T,
  TensorGaussian,
  Truncated,
} from 'waymark';

export interface ReferenceModel<D> {
  /** The file of posteriordb. */
  readonly file: string;
  /** Data as the model takes them, of what is in the file. */
  dataOf(given: Record<string, unknown>): D;
  /** Parameters, by the names that the reference has for them. */
  model(data: D): Record<string, number | readonly number[]>;
}

interface School {
  readonly y: number;
  readonly sigma: number;
}

const eightSchools: ReferenceModel<readonly School[]> = {
  file: 'eight_schools-eight_schools_noncentered.json',
  dataOf: ({ y, sigma }) => (y as number[]).map((one, i) => ({ y: one, sigma: (sigma as number[])[i] })),
  model(data) {
    const mu = gaussian(0, 5);
    const tau = sample(HalfCauchy({ scale: 5 }));
    const theta = data.map(({ y, sigma }) => {
      const effect = mu + tau * gaussian(0, 1);
      observe(Gaussian({ mu: effect, sigma }), y);
      return effect;
    });
    return { theta, mu, tau };
  },
};

interface Counts {
  readonly x: readonly number[];
  readonly k: readonly number[];
}

const gaussianProcess: ReferenceModel<Counts> = {
  file: 'gp_pois_regr-gp_pois_regr.json',
  dataOf: ({ x, k }) => ({ x: x as number[], k: k as number[] }),
  model({ x, k }) {
    const rho = sample(Gamma({ shape: 25, scale: 1 / 4 }));
    const alpha = sample(HalfNormal({ sigma: 2 }));
    const white = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [11, 1] }));
    const squares = Matrix(x.map((a) => x.map((b) => (a - b) ** 2)));
    const cov = T.mul(T.exp(T.mul(squares, -0.5 / (rho * rho))), alpha * alpha);
    const f = T.toScalars(T.dot(T.cholesky(T.add(cov, T.mul(idMatrix(11), 1e-10))), white));
    f.forEach((rate, i) => {
      observe(Poisson({ mu: Math.exp(rate) }), k[i]);
    });
    return { rho, alpha, f };
  },
};

const hiddenMarkov: ReferenceModel<readonly number[]> = {
  file: 'hmm_example-hmm_example.json',
  dataOf: ({ y }) => y as number[],
  model(data) {
    const [stay, come] = [sample(Beta({ a: 1, b: 1 })), sample(Beta({ a: 1, b: 1 }))];
    // That the second mean is above the first is as good as certain.
    const mu = [
      sample(Truncated({ dist: Gaussian({ mu: 3, sigma: 1 }), a: 0, b: Infinity })),
      sample(Truncated({ dist: Gaussian({ mu: 10, sigma: 1 }), a: 0, b: Infinity })),
    ];
    let first = 0.5;
    for (const y of data) {
      observe(
        Mixture({
          dists: [Gaussian({ mu: mu[0], sigma: 1 }), Gaussian({ mu: mu[1], sigma: 1 })],
          ps: [first, 1 - first],
        }),
        y,
      );
      // The state given what was seen, and the one after it.
      const odds = ((1 - first) / first) * Math.exp(0.5 * ((y - mu[0]) ** 2 - (y - mu[1]) ** 2));
      const now = 1 / (1 + odds);
      first = Math.min(1 - 1e-9, Math.max(1e-9, now * stay + (1 - now) * come));
    }
    return { theta1: [stay, 1 - stay], theta2: [come, 1 - come], mu };
  },
};

interface Animals {
  readonly hares: number;
  readonly lynxes: number;
}

const STEPS_OF_A_YEAR = 20;

const lotkaVolterra: ReferenceModel<readonly Animals[]> = {
  file: 'hudson_lynx_hare-lotka_volterra.json',
  dataOf: ({ y_init, y }) => [y_init as number[], ...(y as number[][])].map(([hares, lynxes]) => ({ hares, lynxes })),
  model(data) {
    const positive = (mu: number, sigma: number) =>
      sample(Truncated({ dist: Gaussian({ mu, sigma }), a: 0, b: Infinity }));
    const theta = [positive(1, 0.5), positive(0.05, 0.05), positive(1, 0.5), positive(0.05, 0.05)];
    const sigma = [logNormal(-1, 1), logNormal(-1, 1)];
    const initial = [logNormal(Math.log(10), 1), logNormal(Math.log(10), 1)];
    let u = Math.log(initial[0]);
    let v = Math.log(initial[1]);
    const h = 1 / STEPS_OF_A_YEAR;
    // In logarithms, and no further than numbers go.
    const grow = (w: number): number => theta[0] - theta[1] * Math.exp(Math.min(30, w));
    const shrink = (w: number): number => theta[3] * Math.exp(Math.min(30, w)) - theta[2];
    for (let t = 0; t < data.length; t++) {
      observe(LogNormal({ mu: u, sigma: sigma[0] }), data[t].hares);
      observe(LogNormal({ mu: v, sigma: sigma[1] }), data[t].lynxes);
      for (let k = 0; k < STEPS_OF_A_YEAR; k++) {
        // In the middle of a step, then at its end: of second order.
        const [mu, mv] = [u + 0.5 * h * grow(v), v + 0.5 * h * shrink(u)];
        u = within(u + h * grow(mv));
        v = within(v + h * shrink(mu));
      }
    }
    return { theta, sigma, z_init: initial };
  },
};

const within = (w: number): number => Math.min(40, Math.max(-200, w));

export const referenceModels: Readonly<Record<string, ReferenceModel<unknown>>> = {
  'eight-schools': eightSchools as ReferenceModel<unknown>,
  'gaussian-process': gaussianProcess as ReferenceModel<unknown>,
  'hidden-markov': hiddenMarkov as ReferenceModel<unknown>,
  'lotka-volterra': lotkaVolterra as ReferenceModel<unknown>,
};
