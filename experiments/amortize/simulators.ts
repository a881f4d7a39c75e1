// Four simulators of the benchmark sbibm (Lueckmann et al. 2021): priors, and how data come about.
import {
  Binomial,
  Delta,
  factor,
  Gaussian,
  gaussian,
  logNormal,
  mapN,
  observe,
  sample,
  Uniform,
  uniform,
} from 'waymark';

export interface Simulator<D> {
  /** Data of the simulator's form, of a list of numbers. */
  dataOf(numbers: readonly number[]): D;
  /** Parameters with data; `isWeighed`: by the likelihood, where the simulator itself has none. */
  model(data: D, isWeighed: boolean): number[];
}

const gaussianLinear: Simulator<readonly number[]> = {
  dataOf: (numbers) => numbers,
  model: (data) =>
    mapN((i) => {
      const theta = gaussian(0, Math.sqrt(0.1));
      observe(Gaussian({ mu: theta, sigma: Math.sqrt(0.1) }), data[i]);
      return theta;
    }, 10),
};

const ANGLE = Uniform({ a: -Math.PI / 2, b: Math.PI / 2 });
const RADIUS = Gaussian({ mu: 0.1, sigma: 0.01 });

/**
 * A point of a crescent, whose place the parameters say. Radius and angle are never known: either drawn, or summed out. They have guides,
 * so that the network does not learn them: data and parameters say exactly what they are, and that would be most of what it learns.
 */
const twoMoons: Simulator<readonly number[]> = {
  dataOf: (numbers) => numbers,
  model(data, isWeighed) {
    const first = uniform(-1, 1);
    const second = uniform(-1, 1);
    const x = 0.25 - Math.abs(first + second) / Math.SQRT2;
    const y = (second - first) / Math.SQRT2;
    if (isWeighed) factor(crescent(data[0] - x, data[1] - y));
    else {
      const angle = sample(ANGLE, { guide: ANGLE });
      const radius = sample(RADIUS, { guide: RADIUS });
      observe(Delta({ v: x + radius * Math.cos(angle) }), data[0]);
      observe(Delta({ v: y + radius * Math.sin(angle) }), data[1]);
    }
    return [first, second];
  },
};

/** Log-density of a point whose radius is normal and whose angle is uniform on the right. */
function crescent(x: number, y: number): number {
  const radius = Math.sqrt(x * x + y * y);
  const z = (radius - 0.1) / 0.01;
  return x > 0 ? -0.5 * z * z - Math.log(0.01 * Math.sqrt(2 * Math.PI)) - Math.log(Math.PI * radius) : -Infinity;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Four points of a normal distribution in the plane. */
const slcp: Simulator<readonly Point[]> = {
  dataOf: (numbers) => [0, 1, 2, 3].map((i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] })),
  model(data) {
    // How far points spread comes first: given that, where their middle is is simple.
    const [third, fourth, fifth, first, second] = [
      uniform(-3, 3),
      uniform(-3, 3),
      uniform(-3, 3),
      uniform(-3, 3),
      uniform(-3, 3),
    ];
    const [wide, high, bend] = [third * third, fourth * fourth, Math.tanh(fifth)];
    for (const point of data) {
      observe(Gaussian({ mu: first, sigma: wide }), point.x);
      // Given the one, the other is normal too.
      const mu = second + ((bend * high) / wide) * (point.x - first);
      observe(Gaussian({ mu, sigma: high * Math.sqrt(1 - bend * bend) }), point.y);
    }
    return [first, second, third, fourth, fifth];
  },
};

const PEOPLE = 1_000_000;
const DAYS = 17;
const STEPS_OF_A_DAY = 2;

/** An epidemic: of a thousand people who are asked every 17 days, how many are infected. */
const sir: Simulator<readonly number[]> = {
  dataOf: (numbers) => numbers,
  model(data) {
    const contact = logNormal(Math.log(0.4), 0.5);
    const recovery = logNormal(Math.log(0.125), 0.2);
    let s = PEOPLE - 1;
    let i = 1;
    const h = 1 / STEPS_OF_A_DAY;
    for (let t = 0; t < 10; t++) {
      observe(Binomial({ n: 1000, p: Math.min(1, Math.max(0, i / PEOPLE)) }), data[t]);
      for (let k = 0; k < DAYS * STEPS_OF_A_DAY && t < 9; k++) {
        // The classical method of Runge and Kutta.
        const a = (contact / PEOPLE) * s * i;
        const ai = a - recovery * i;
        const b = (contact / PEOPLE) * (s - 0.5 * h * a) * (i + 0.5 * h * ai);
        const bi = b - recovery * (i + 0.5 * h * ai);
        const c = (contact / PEOPLE) * (s - 0.5 * h * b) * (i + 0.5 * h * bi);
        const ci = c - recovery * (i + 0.5 * h * bi);
        const d = (contact / PEOPLE) * (s - h * c) * (i + h * ci);
        const di = d - recovery * (i + h * ci);
        s -= (h / 6) * (a + 2 * b + 2 * c + d);
        i += (h / 6) * (ai + 2 * bi + 2 * ci + di);
      }
    }
    return [contact, recovery];
  },
};

export const simulators: Readonly<Record<string, Simulator<unknown>>> = {
  gaussian_linear: gaussianLinear as Simulator<unknown>,
  two_moons: twoMoons as Simulator<unknown>,
  slcp: slcp as Simulator<unknown>,
  sir: sir as Simulator<unknown>,
};
