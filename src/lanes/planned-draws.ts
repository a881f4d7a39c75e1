/** Choices that compiled steps make themselves, by the family's own function: their parameters are computed in the same step. */
import * as families from '../distributions/index.ts';
import type { Distribution } from '../runtime/handler.ts';
import { RandomStream } from '../runtime/random.ts';
import { type DrawOne, laneDrawAt } from '../tensor/lane-draws.ts';
import { toNode } from '../tensor/leaves.ts';
import { isNumeric, type Node, type Value } from '../tensor/node.ts';
import type { Choices, Rerun } from './rerun.ts';

type Make = (params: object) => Distribution<number>;

interface Family {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absent in families that are made of others, such as mixtures. */
  readonly values?: { contains(value: unknown): boolean };
}

/** The stream of whichever lane draws. */
const drawing = RandomStream.fromSeed(0);

/** The value of a choice that is a number, for each lane; undefined of other families, and where nothing is recorded any more. */
export function drawInPlan(
  { family, params }: Distribution<unknown> & { readonly family?: Family; readonly params: object },
  rerun: Rerun,
  choices: () => Choices,
): Node | undefined {
  if (rerun.obstacle !== null || family === undefined) return undefined;
  const make = (families as unknown as Record<string, Make>)[family.name];
  const { values } = family;
  // (Truth values are scored as numbers too, but a program sees truth values.)
  const isOfNumbers = values !== undefined && !values.contains(true) && (values.contains(1) || values.contains(0.5));
  const names = Object.keys(family.params);
  const given = names.map((name) => (params as Record<string, unknown>)[name]);
  if (make === undefined || !isOfNumbers || !given.every(isNumeric)) return undefined;
  const draw: DrawOne = (own, key0, key1, choice) => {
    const distribution = make(Object.fromEntries(names.map((name, i) => [name, own[i]])));
    return distribution.draw(drawing.place(key0, key1, choice, 0));
  };
  return laneDrawAt(
    family.name,
    draw,
    choices(),
    given.map((value) => toNode(value as Value)),
  );
}
