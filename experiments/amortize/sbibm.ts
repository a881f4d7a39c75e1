// A simulator of the benchmark sbibm: the network's own posterior, and that by importance sampling, beside reference draws.
import { Amortize, argv, Infer, loadData, withSeed } from 'waymark';
import { simulators } from './simulators.ts';
import { checkpoint, given, references, resampled } from './trained.ts';
import { type Draw, twoSampleTest } from './two-samples.ts';

interface Task {
  readonly parameters: number;
  readonly observations: readonly (readonly number[])[];
}

const task = String(argv.task);
const folder = references().sbibm;

/** Reference draws: numbers, of one observation after the other. */
function referenceDraws({ parameters, observations }: Task, observation: number, count: number): Draw[] {
  const numbers = loadData<number[]>(`${folder}/${task}.f32.gz`);
  const each = numbers.length / (parameters * observations.length);
  const draw = (i: number): Draw => {
    const from = (observation * each + i) * parameters;
    return numbers.slice(from, from + parameters);
  };
  return Array.from({ length: Math.min(count, each) }, (_, i) => draw(i));
}

/** Sizes of the network, by the number of its hidden units. */
function sizes(hidden: number) {
  return { hidden, layers: 3, token: hidden / 2, read: hidden / 2, reads: 2, components: given('components') };
}

function run() {
  if (folder === null) return { task, missing: true };
  const found = loadData<Task>(`${folder}/${task}.json`);
  const { dataOf, model } = simulators[task];
  const example = dataOf(found.observations[0]);
  const net = Amortize((data: unknown) => model(data, false), {
    steps: given('steps'),
    checkpoint: checkpoint(),
    example,
    samples: 256,
    simulations: given('simulations'),
    stepSize: given('stepSize'),
    network: sizes(given('hidden')),
  });
  const draws = given('draws');
  const epochs = given('epochs');
  const observations = found.observations.slice(0, given('observations')).map((numbers, i) =>
    withSeed(1000 + i, () => {
      const data = dataOf(numbers);
      const reference = referenceDraws(found, i, draws);
      const own = net.posterior(data, { samples: draws, method: 'forward' }).samples.map(({ value }) => value);
      const weighed = Infer({
        method: 'importance',
        samples: given('weighed'),
        guide: net.given(data),
        model: () => model(data, true),
      });
      const { ess, khat } = weighed.diagnostics as { ess: number; khat: number };
      return {
        amortized: twoSampleTest(own, reference, epochs, `amortized ${i}`),
        weighed: twoSampleTest(resampled(weighed.samples, draws, 0.5), reference, epochs, `weighed ${i}`),
        ess,
        khat,
      };
    }),
  );
  return { task, observations };
}

export default run();
