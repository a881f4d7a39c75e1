/** Networks in files. */
import { bytesOf, checkWritable, type NamedFile, readContainer, writeContainer } from '../io/container-file.ts';
import { paramsFile } from '../io/params-file.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { knownApart } from '../runtime/known-models.ts';
import { machine } from '../runtime/machine.ts';
import { Tensor } from '../tensor/tensor.ts';
import { AmortizedModel, type Learned } from './amortized.ts';
import { DataShape, type Signature } from './data-shape.ts';
import { Dreamer } from './dreams.ts';
import { ObservedSources, type Source } from './observed-sources.ts';
import { checkModel } from './options.ts';
import { Parameters } from './parameters.ts';
import { Scale } from './scale.ts';
import { type Site, Sites } from './sites.ts';
import { EMBEDDING, GATES, type NetworkSizes } from './sizes.ts';

const KIND = 'network';
const CHECKPOINT = 'network in training';
const MEAN = '(mean of the gradient)';
const SQUARE = '(mean of its square)';
/** How many executions of the program are compared with the sites of a file. */
const TRIALS = 64;

type ScaleNumbers = readonly [number, number];

interface Meta {
  readonly sites: readonly (Omit<Site, 'scales'> & { readonly scales: readonly ScaleNumbers[] | null })[];
  readonly roots: readonly string[];
  readonly signatures: readonly (Omit<Signature, 'leaves'> & {
    readonly leaves: readonly (Omit<Signature['leaves'][number], 'scales'> & {
      readonly scales: readonly ScaleNumbers[];
    })[];
  })[];
  readonly points: readonly string[];
  readonly sizes: NetworkSizes;
  readonly steps: number;
  readonly objective: number;
  readonly example: unknown;
  readonly sources: readonly (readonly [string, Source[] | null])[];
}

const numbersOf = ({ centre, spread }: Scale): ScaleNumbers => [centre, spread];
const scaleOf = ([centre, spread]: ScaleNumbers): Scale => new Scale(centre, spread);

export function writeNet(name: unknown, learned: Learned): void {
  write(paramsFile('save', name), KIND, learned);
}

/** Writes all that a training needs to go on, the moments of Adam included. */
export function writeCheckpoint(name: string, learned: Learned): void {
  write(paramsFile('Amortize: checkpoint', name), CHECKPOINT, learned);
}

function write(file: NamedFile, kind: string, learned: Learned): void {
  const { sites, shape, parameters, sizes, objective, example, sources } = learned;
  checkWritable(file);
  const meta: Meta = {
    sites: sites.all.map((site) => ({ ...site, scales: site.scales?.map(numbersOf) ?? null })),
    roots: [...sites.roots],
    signatures: shape.signatures.map((signature) => ({
      ...signature,
      leaves: signature.leaves.map((leaf) => ({ ...leaf, scales: leaf.scales.map(numbersOf) })),
    })),
    points: [...shape.points],
    sizes,
    steps: parameters.steps,
    objective,
    example: encoded(example),
    sources: [...sources.bySite],
  };
  const arrays = [...parameters.table].flatMap(([key, { dims, data, mean, square }]) => [
    { name: key, dims, data },
    ...(kind === KIND
      ? []
      : [
          { name: `${key} ${MEAN}`, dims, data: mean },
          { name: `${key} ${SQUARE}`, dims, data: square },
        ]),
  ]);
  writeContainer(file, { kind, meta, arrays });
}

/** Tensors and missing values in JSON. */
function encoded(value: unknown): unknown {
  if (value instanceof Tensor) return { $tensor: [...value.data], dims: [...value.dims] };
  if (value === undefined) return { $missing: true };
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encoded(field)]));
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  if ('$missing' in value) return undefined;
  if ('$tensor' in value) {
    const { $tensor, dims } = value as unknown as { $tensor: number[]; dims: number[] };
    return new Tensor(dims, Float64Array.from($tensor));
  }
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, decoded(field)]));
}

/** The network in a file; undefined if there is no such file. */
function read(file: NamedFile, kind: string, embed: Embeds, bytes = bytesOf(file)): Learned | undefined {
  if (bytes === undefined) return undefined;
  const { meta, arrays } = readContainer(file, bytes, kind);
  const { sites: known, roots, signatures, points, sizes, steps, objective, example, sources } = meta as Meta;
  const sites = new Sites();
  for (const site of known) sites.add({ ...site, scales: site.scales?.map(scaleOf) ?? null }, roots[0]);
  for (const root of roots) sites.roots.add(root);
  const shape = new DataShape(new Set(points), embed);
  for (const { leaves, ...rest } of signatures) {
    shape.add({ ...rest, leaves: leaves.map((leaf) => ({ ...leaf, scales: leaf.scales.map(scaleOf) })) });
  }
  shape.learning = false;
  const parameters = new Parameters(machine.stream.named('network'));
  const numbers = new Map(arrays.map(({ name, data }) => [name, Float64Array.from(data)]));
  for (const { name, dims } of arrays) {
    if (name.endsWith(MEAN) || name.endsWith(SQUARE)) continue;
    const data = numbers.get(name)!;
    const [mean, square] = [MEAN, SQUARE].map(
      (kept) => numbers.get(`${name} ${kept}`) ?? new Float64Array(data.length),
    );
    parameters.put(name, { dims, data, mean, square });
  }
  // Files of earlier versions have none, and 0 changes nothing.
  for (const gate of GATES) parameters.declare(gate, [EMBEDDING, sizes.token], 0);
  parameters.steps = steps;
  const observed = new ObservedSources();
  for (const [site, source] of sources) observed.bySite.set(site, source);
  return {
    sites,
    shape,
    parameters,
    sizes: { ...sizes, layers: sizes.layers ?? 1, longest: sizes.longest ?? Infinity },
    objective,
    example: decoded(example),
    sources: observed,
  };
}

type Embeds = ConstructorParameters<typeof DataShape>[1];

/** A training that was interrupted; undefined if there is none. */
export function keptNet(name: string, embed: Embeds): Learned | undefined {
  return read(paramsFile('Amortize: checkpoint', name), CHECKPOINT, embed);
}

/** In pages, and in modules of one file, the bytes take the place of a file. */
const BYTES: NamedFile = { caller: 'Amortize.load', name: 'the network', place: 'memory' };

/** A network from a file (or its bytes), for a program whose choices are those that it was trained on. */
export function loadNet(name: unknown, given: unknown, embed: unknown): AmortizedModel {
  const model = checkModel('Amortize.load', given);
  const bytes = name instanceof Uint8Array ? name : undefined;
  const file = bytes === undefined ? paramsFile('Amortize.load', name) : BYTES;
  const learned = read(file, KIND, (embed ?? {}) as Embeds, bytes);
  if (learned === undefined) throw new WaymarkError(`Amortize.load: there is no file '${file.name}' (${file.place}).`);
  const { sites, shape, example, sources } = learned;
  return knownApart(given, () => {
    const { sideEffect, lasting } = machine.program;
    const dreamer = new Dreamer(model, () => example, TRIALS, sites, shape.points, sources);
    checkSites(file.name, learned, dreamer);
    return new AmortizedModel(model, learned, dreamer, { sideEffect, lasting }, writeNet);
  });
}

/** Refuses a file that was trained for other choices. */
function checkSites(file: string, { sites }: Learned, dreamer: Dreamer): void {
  const before = sites.all.length;
  dreamer.dream(TRIALS);
  const fresh = sites.all.slice(before);
  sites.learning = false;
  if (fresh.length === 0) return;
  const places = fresh.slice(0, 3).map(({ family, place }) => `${family} at ${place}`);
  throw new WaymarkError(
    `Amortize.load: '${file}' does not fit this program. It was trained for ${before} choices, and the program has ` +
      `others: ${places.join(', ')}${fresh.length > 3 ? ', …' : ''}. Train again, with the program as it is now.`,
  );
}
