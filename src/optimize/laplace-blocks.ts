/** Where the numbers of choices are in one vector, and how a covariance of it becomes parameters of a Gaussian of full rank, row by row. */
import { cholesky } from '../distributions/cholesky.ts';
import type { AskedGuide, MetChoice } from '../guides/joint/asked-guide.ts';
import { OwnParameters } from '../guides/joint/own-parameters.ts';
import type { Preceding } from '../guides/joint/preceding-choices.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { placeOf } from '../runtime/places.ts';
import { inverseSoftplus } from '../tensor/special/exponentials.ts';
import { Tensor } from '../tensor/tensor.ts';

/** The numbers of one choice. */
export interface Block {
  /** The parameter that has them. */
  readonly mu: string;
  /** The name of the choice, of one datum where it belongs to data. */
  readonly place: string;
  /** Where it is in the program. */
  readonly where: string;
  readonly start: number;
  readonly size: number;
  readonly choice: MetChoice;
}

/** All choices that have met the guide, those of each datum by themselves. */
export function blocksOf({ met }: AskedGuide, table: ParameterTable): Block[] {
  const blocks: Block[] = [];
  const known = new Set<string>();
  let start = 0;
  for (const choice of met.values()) {
    for (const place of placesOf(choice, table)) {
      if (known.has(place)) continue;
      known.add(place);
      const { extent } = choice;
      const where = placeOf(choice.address) ?? place;
      blocks.push({ mu: OwnParameters.nameOf(place, 'mu', extent), place, where, start, size: extent.size, choice });
      start += extent.size;
    }
  }
  return blocks;
}

/** One place, or those of all data that have run side by side. */
function placesOf({ place, extent }: MetChoice, table: ParameterTable): string[] {
  if (!place.includes('[*]')) return [place];
  const name = OwnParameters.nameOf(place, 'mu', extent);
  const pattern = new RegExp(`^${name.split('[*]').map(escaped).join('\\[\\d+\\]')}$`);
  const ending = name.length - place.length;
  return [...table.names()].filter((one) => pattern.test(one)).map((one) => one.slice(0, one.length - ending));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The indices of data in the name of a choice, put into the name of another of the same data. */
function ofSameDatum(place: string, block: Block): string {
  const indices = indicesAt(block);
  let level = 0;
  return place.replace(/\[\*\]/g, () => indices[level++] ?? '[*]');
}

function indicesAt({ place, choice }: Block): string[] {
  const pattern = new RegExp(`^${choice.place.split('[*]').map(escaped).join('(\\[\\d+\\])')}$`);
  return [...(pattern.exec(place) ?? [])].slice(1);
}

/** The choices that the guide of one depends on, in their order. */
function sources(line: Preceding): string[] {
  const places: string[] = [];
  for (let at: Preceding | null = line; at !== null; at = at.before)
    if (at.choice !== undefined) places.unshift(at.choice.place);
  return places;
}

/** Writes the parameters of a Gaussian with this covariance, as far as what belongs to different data is independent. */
export function writeGaussian(blocks: readonly Block[], covariance: Float64Array, table: ParameterTable): void {
  const total = blocks.reduce((sum, { size }) => sum + size, 0);
  const byPlace = new Map(blocks.map((block) => [block.place, block]));
  for (const block of blocks) {
    const { size, place, choice } = block;
    const before = sources(choice.line).map((source) => byPlace.get(ofSameDatum(source, block))!);
    const places = [...before, block].flatMap(({ start, size }) => Array.from({ length: size }, (_, i) => start + i));
    const n = places.length;
    const own = Float64Array.from(
      { length: n * n },
      (_, k) => covariance[places[Math.floor(k / n)] * total + places[k % n]],
    );
    const factor = cholesky(own, n)!;
    const count = n - size;
    const row = (i: number, j: number): number => factor[(count + i) * n + j];
    const scales = Float64Array.from({ length: size }, (_, i) => row(i, count + i));
    const matrix = (columns: number, from: number, keep: (i: number, j: number) => boolean): Tensor =>
      new Tensor(
        [size, columns],
        Float64Array.from({ length: size * columns }, (_, k) => {
          const [i, j] = [Math.floor(k / columns), k % columns];
          return keep(i, j) ? row(i, from + j) / scales[i] : 0;
        }),
      );
    const { extent } = choice;
    const name = (part: string): string => OwnParameters.nameOf(place, part, extent);
    table.set(name('scale'), new Tensor(extent.scalar ? [1] : [size, 1], scales.map(inverseSoftplus)));
    if (size > 1)
      table.set(
        name('below'),
        matrix(size, count, (i, j) => j < i),
      );
    if (count > 0)
      table.set(
        OwnParameters.nameAfter(place, 'reach', extent),
        matrix(count, 0, () => true),
      );
  }
}
