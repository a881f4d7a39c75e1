/** Pictures of the gallery's cards, made by running the programs: `npm run gallery` writes `gallery/pictures.json`. */
import { weightedValues } from '../../src/library/weighted.ts';
import { run } from '../../src/program/run.ts';
import { isDistribution } from '../../src/runtime/primitives.ts';
import type { Gallery, GalleryEntry, Picture } from '../gallery/gallery.ts';
import { filesOf } from '../gallery/gallery.ts';

/** Enough of an optimisation to see where it goes. */
const STEPS = '400';
const BARS = 8;
const BINS = 36;
const POINTS = 48;

export async function galleryPictures(gallery: Gallery): Promise<Record<string, Picture>> {
  const pictures: Record<string, Picture> = {};
  for (const entry of gallery.shelves.flatMap(({ entries }) => entries)) {
    const picture = await pictureOf(entry, filesOf(gallery, entry.id));
    if (picture !== undefined) pictures[entry.id] = picture;
  }
  return pictures;
}

async function pictureOf(
  { code, language }: GalleryEntry,
  files: Record<string, string>,
): Promise<Picture | undefined> {
  const curve: (readonly [number, number])[] = [];
  const progress = () => ({
    update: (...report: readonly unknown[]) => {
      const trace = report[3] as { points: (readonly [number, number])[] } | undefined;
      curve.push(...(trace?.points ?? []));
    },
    finish() {},
  });
  const options = { seed: 1, language, files, args: ['--steps', STEPS], progress, warn() {} };
  const { value } = await run(code, { ...options, file: `program.${language}` });
  const drawn = isDistribution(value) ? weightedValues(value) : undefined;
  if (drawn !== undefined) return distributionPicture(drawn.values, drawn.weights);
  return curve.length > 1 ? curvePicture(curve.map(([, figure]) => figure)) : undefined;
}

const rounded = (values: readonly number[]): number[] => values.map((value) => Number(value.toFixed(3)));

function curvePicture(figures: readonly number[]): Picture {
  const sorted = [...figures].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor(0.04 * sorted.length)], sorted[sorted.length - 1]];
  const values = Array.from(
    { length: POINTS },
    (_, i) => figures[Math.floor((i / (POINTS - 1)) * (figures.length - 1))],
  );
  return { kind: 'curve', values: rounded(values.map((value) => Math.max(0, (value - low) / (high - low || 1)))) };
}

/** Of objects and lists, their first number is drawn. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value)
    .map(numberIn)
    .find((found) => found !== undefined);
}

function distributionPicture(values: readonly unknown[], weights: ArrayLike<number>): Picture {
  const totals = new Map<string, { value: unknown; weight: number }>();
  values.forEach((value, i) => {
    const key = JSON.stringify(value);
    const known = totals.get(key) ?? { value, weight: 0 };
    known.weight += weights[i];
    totals.set(key, known);
  });
  const rows = [...totals.values()];
  const numbers = rows.map(({ value }) => numberIn(value));
  if (rows.length > 3 * BARS && numbers.every((number) => number !== undefined)) {
    return densityPicture(
      numbers as number[],
      rows.map(({ weight }) => weight),
    );
  }
  const most = rows.sort((a, b) => b.weight - a.weight).slice(0, BARS);
  if (most.every(({ value }) => typeof value === 'number')) most.sort((a, b) => Number(a.value) - Number(b.value));
  const top = Math.max(...most.map(({ weight }) => weight));
  return { kind: 'bars', values: rounded(most.map(({ weight }) => weight / top)) };
}

function densityPicture(numbers: readonly number[], weights: readonly number[]): Picture {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const bins = new Array<number>(BINS).fill(0);
  numbers.forEach((number, i) => {
    bins[Math.min(BINS - 1, Math.floor(((number - low) / (high - low || 1)) * BINS))] += weights[i];
  });
  // Binomial weights, a few times: a smooth line is what a card has room for.
  let smooth = [0, ...bins, 0];
  for (let round = 0; round < 4; round++) {
    smooth = smooth.map((_, i) => ((smooth[i - 1] ?? 0) + 2 * smooth[i] + (smooth[i + 1] ?? 0)) / 4);
  }
  const top = Math.max(...smooth);
  return { kind: 'density', values: rounded(smooth.map((height) => height / top)) };
}
