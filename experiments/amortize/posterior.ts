// A model of posteriordb: a network that has learned from dreams and from the datum, weighed, beside reference draws.
import { Amortize, argv, loadData } from 'waymark';
import { referenceModels } from './reference-models.ts';
import { checkpoint, given, references } from './trained.ts';

/** Reference values come from this many independent draws. */
const REFERENCE_DRAWS = 10_000;

interface File {
  readonly data: Record<string, unknown>;
  readonly reference: Readonly<Record<string, { readonly mean: number; readonly sd: number }>>;
}

type Named = Readonly<Record<string, number | readonly number[]>>;

/** A parameter as references call it: `theta[1]` is the first of a list. */
function pick(value: Named, name: string): number {
  const [, list, place] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) as unknown as [string, string, string | undefined];
  const found = value[list];
  return place === undefined ? (found as number) : (found as readonly number[])[Number(place) - 1];
}

function run() {
  const name = String(argv.name);
  const folder = references().posteriordb;
  if (folder === null) return { name, missing: true };
  const { file, dataOf, model } = referenceModels[name];
  const { data: inFile, reference } = loadData<File>(`${folder}/${file}`);
  const data = dataOf(inFile);
  const net = Amortize((one: unknown) => model(one), {
    steps: given('steps'),
    checkpoint: checkpoint(),
    example: data,
    data: [data],
    objective: { dream: 1, RWS: given('awake') },
    samples: given('dreams'),
    stepSize: 0.005,
    network: { hidden: given('hidden'), layers: given('layers'), token: given('hidden') / 2, read: 16, components: 8 },
  });
  const samples = given('samples');
  const posterior = net.posterior(data, { samples });
  const { ess, khat } = posterior.diagnostics;
  const largest = posterior.samples.reduce((most, { score = 0 }) => Math.max(most, score), -Infinity);
  const weights = posterior.samples.map(({ score = 0 }) => Math.exp(score - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parameters = Object.entries(reference).map(([parameter, truth]) => {
    const mean = posterior.samples.reduce(
      (sum, { value }, i) => sum + (weights[i] / total) * pick(value, parameter),
      0,
    );
    const errors = (mean - truth.mean) / Math.sqrt(truth.sd ** 2 / ess + truth.sd ** 2 / REFERENCE_DRAWS);
    return { name: parameter, mean, reference: truth.mean, errors };
  });
  return { name, samples, ess, khat: Number.isFinite(khat) ? khat : null, parameters };
}

export default run();
