/** Several objectives at once, each with a weight: their gradients are added, and so are their values, as what is to be made large. */
import { during } from '../runtime/machine.ts';
import type { Estimate, Estimator, Steps } from './estimator.ts';
import type { Gradients, PackedParameters } from './packed-parameters.ts';
import { sumTogether } from './sum-by-ranks.ts';

/** One of the objectives of a sum. */
export interface Part {
  readonly estimator: Pick<Estimator<object>, 'objective' | 'larger' | 'teachesSome' | 'start'>;
  readonly options: object;
  readonly weight: number;
}

/** The sum as an objective. */
export function sumOf(parts: readonly Part[]): Part['estimator'] {
  return {
    objective: parts.map(wordsOf).join(' + '),
    larger: true,
    teachesSome: parts.every(({ estimator }) => estimator.teachesSome) ? true : undefined,
    start: (...given) => startAll(parts, ...given),
  };
}

const wordsOf = ({ estimator, weight }: Part): string => {
  const signed = estimator.larger ? weight : -weight;
  return signed === 1 ? estimator.objective : `${Number(signed.toPrecision(3))} ${estimator.objective}`;
};

/** The steps of all of them. The first has the random numbers that it has alone; every other has its own. */
export function startAll(parts: readonly Part[], ...given: Parameters<Estimator<object>['start']>): Steps {
  const [model, entry, { gradients }, parameters, outlook] = given;
  const start = (): Steps[] =>
    parts.map(({ estimator, options }, i) =>
      estimator.start(
        model,
        i === 0 ? entry : entry.apart(`objective ${i}`),
        { ...options, gradients },
        parameters,
        outlook,
      ),
    );
  let all = start();
  let ofRanks = all.map(({ together }) => together).filter((one) => one !== undefined);
  if (ofRanks.length < all.length && ofRanks.length > 0) {
    // Some cannot be divided, and the others must not be.
    all = during({ apart: true }, start);
    ofRanks = [];
  }
  const last: (Estimate | undefined)[] = all.map(() => undefined);
  const together = ofRanks.length === 0 ? undefined : sumTogether(ofRanks, last);
  const step = (number: number): Estimate => {
    const isWhole = together === undefined || together.division.mode === 'nothing';
    let objective = 0;
    const sums = new Map<string, Float64Array | Float32Array>();
    parts.forEach(({ estimator, weight }, i) => {
      const division = all[i].together?.division;
      last[i] = undefined;
      if (division?.executions.count === 0) return;
      const share = isWhole || division === undefined ? weight : weight * division.weight;
      const estimate = all[i](number);
      last[i] = estimate;
      objective += (estimator.larger ? 1 : -1) * share * estimate.objective;
      addTo(sums, estimate.gradients, parameters, share);
    });
    return { objective, gradients: sums };
  };
  return Object.assign(step, {
    memory: memoryOf(all),
    end: () => {
      for (const steps of all) steps.end?.();
    },
    together,
  });
}

/** Adds so many times the gradients of an estimate; those that are packed already are those of the parameters just met. */
function addTo(
  sums: Map<string, Float64Array | Float32Array>,
  gradients: Gradients | 'packed',
  parameters: PackedParameters,
  weight: number,
): void {
  const names = gradients === 'packed' ? parameters.met.flatMap((group) => group.names) : gradients.keys();
  for (const name of names) {
    const own = gradients === 'packed' ? parameters.gradientOf(name) : gradients.get(name)!;
    let sum = sums.get(name);
    if (sum === undefined) {
      sum = own instanceof Float32Array ? new Float32Array(own.length) : new Float64Array(own.length);
      sums.set(name, sum);
    }
    for (let i = 0; i < own.length; i++) sum[i] += weight * own[i];
  }
}

/** What the steps of each remember, under names that begin with its number. */
function memoryOf(all: readonly Steps[]): NonNullable<Steps['memory']> {
  return {
    save() {
      const numbers = new Map<string, number>();
      all.forEach(({ memory }, i) => {
        for (const [name, number] of memory?.save() ?? []) numbers.set(`${i} ${name}`, number);
      });
      return numbers;
    },
    restore(numbers) {
      all.forEach(({ memory }, i) => {
        const start = `${i} `;
        const own = [...numbers].filter(([name]) => name.startsWith(start));
        memory?.restore(new Map(own.map(([name, number]) => [name.slice(start.length), number])));
      });
    },
  };
}
