// Programs of every kind that a network has to propose for: choices that are there or not, as many as other choices say.
import {
  Bernoulli,
  flip,
  Gaussian,
  gamma,
  gaussian,
  map,
  mapN,
  mem,
  observe,
  Poisson,
  poisson,
  randomInteger,
  repeat,
  uniform,
  uniformDraw,
} from 'waymark';

export interface Universal<D> {
  readonly label: string;
  /** Data of the program's form; lengths may vary, and parts may be missing. */
  exampleOf(): D;
  model(data: D): unknown;
}

const zeros = (count: number): number[] => mapN(() => 0, count);

/** As many clusters as there may be, and data in any order. */
const clusters: Universal<readonly number[]> = {
  label: 'number of clusters unknown',
  exampleOf: () => zeros(3 + randomInteger(6)),
  model(data) {
    const k = 1 + poisson(1);
    const centres = repeat(k, () => gaussian(0, 5));
    map((y) => observe(Gaussian({ mu: uniformDraw(centres), sigma: 1 }), y), data);
    return { k, largest: centres.reduce((most, x) => Math.max(most, x), -Infinity) };
  },
};

/** A sum that is nested as deep as coins say. */
const expression = (): number => (flip(0.6) ? gaussian(0, 2) : expression() - 0.5 * expression());

const recursion: Universal<{ readonly seen: number }> = {
  label: 'recursion',
  exampleOf: () => ({ seen: 0 }),
  model(data) {
    const value = expression();
    observe(Gaussian({ mu: value, sigma: 0.5 }), data.seen);
    return value;
  },
};

/** People have a strength each, which is drawn when they first play. */
const memory: Universal<readonly boolean[]> = {
  label: 'memory',
  exampleOf: () => [true, true, true, true],
  model(data) {
    const strength = mem((_person: number) => gaussian(0, 1));
    const games = [
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 1],
    ];
    mapN((i) => {
      const [a, b] = games[i];
      observe(Bernoulli({ p: 1 / (1 + Math.exp(2 * (strength(b) - strength(a)))) }), data[i]);
    }, 4);
    return strength(0) - strength(2);
  },
};

/** A level that changes now and then: a choice decides whether there is another one. */
const switching: Universal<readonly number[]> = {
  label: 'discrete choices in a loop',
  exampleOf: () => zeros(6),
  model(data) {
    let level = gaussian(0, 1);
    let changes = 0;
    for (let t = 0; t < data.length; t++) {
      if (flip(0.2)) {
        level = gaussian(0, 3);
        changes++;
      }
      observe(Gaussian({ mu: level, sigma: 0.5 }), data[t]);
    }
    return { level, changes };
  },
};

/** Counts of which some are missing. */
const missing: Universal<readonly (number | undefined)[]> = {
  label: 'missing data',
  exampleOf: () => mapN(() => (flip(0.3) ? undefined : 0), 5),
  model(data) {
    const rate = gamma(2, 2);
    const isDouble = flip(0.5);
    map((y) => observe(Poisson({ mu: isDouble ? 2 * rate : rate }), y as number), data);
    return { rate, isDouble };
  },
};

/** A loop that rejects. */
const rejecting: Universal<{ readonly seen: number }> = {
  label: 'rejection loop',
  exampleOf: () => ({ seen: 0 }),
  model(data) {
    let x: number;
    let y: number;
    do {
      x = uniform(-1, 1);
      y = uniform(-1, 1);
    } while (x * x + y * y >= 1);
    observe(Gaussian({ mu: x + y, sigma: 0.3 }), data.seen);
    return { x, y };
  },
};

export const universal: Readonly<Record<string, Universal<unknown>>> = {
  clusters: clusters as Universal<unknown>,
  recursion: recursion as Universal<unknown>,
  memory: memory as Universal<unknown>,
  switching: switching as Universal<unknown>,
  missing: missing as Universal<unknown>,
  rejecting: rejecting as Universal<unknown>,
};
