/** Programs of numbers: the same as the general way makes, but for what is simpler. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../src/runtime/random.ts';
import '../../src/tensor/evaluate.ts';
import { recordBinary } from '../../src/tensor/elementwise/record.ts';
import { MUL, WEIGH } from '../../src/tensor/elementwise/table.ts';
import { topological } from '../../src/tensor/graph.ts';
import { constant, input, scalar } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { type Program, programOf, type Value } from '../../src/tensor/plan/program.ts';
import { scalarProgramOf } from '../../src/tensor/plan/scalar-program.ts';

const textOf = ({ id, op, inputs, dtype, source }: Value): string => {
  const leaf = source?.kind === 'baked' ? `baked ${Object.is(source.data, -0) ? '-0' : source.data}` : source?.index;
  return `${id} ${leaf ?? op.name} ${inputs.map((one) => one.id)} ${dtype}`;
};

/** Everything but constants that nobody needs. */
function asText({ values, outputs }: Program): string[] {
  const used = new Set([...outputs, ...values.flatMap(({ inputs }) => inputs)]);
  const shown = values.filter((value) => value.source?.kind !== 'baked' || used.has(value));
  return [...shown.map(textOf), `outputs ${outputs.map((one) => one.id)}`];
}

const quickly = (outputs: readonly Node[], inputs: readonly Node[]): Program | null =>
  scalarProgramOf(topological(outputs), outputs, inputs);

const CONSTANTS = [0, -0, 1, 2, 0.5, -1.5, Number.POSITIVE_INFINITY, Number.NaN];

/** A graph with equal parts, known parts, truth values, and operations of one to three operands. */
function randomGraph(seed: number, inputs: readonly Node[]): Node[] {
  const random = RandomStream.fromSeed(seed).begin();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];
  const nodes: Node[] = [...inputs, ...CONSTANTS.map(scalar), scalar(true)];
  for (let i = 0; i < 60; i++) {
    const [a, b, c] = [pick(nodes), pick(nodes), pick(nodes)];
    const make = pick([
      () => recordBinary(MUL, a, b),
      () => ops.add(a, b),
      () => ops.sub(a, b),
      () => ops.exp(a),
      () => ops.lt(a, b),
      () => ops.select(ops.lt(a, 1), b, c),
    ]);
    nodes.push(make() as Node);
  }
  return nodes.slice(-6);
}

describe('programs of numbers', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('are what the general way makes (graph %i)', (seed) => {
    const inputs = [input(), input()];
    const outputs = randomGraph(seed, inputs);
    const quick = quickly(outputs, inputs);
    expect(quick).not.toBeNull();
    expect(asText(quick as Program)).toEqual(asText(programOf(outputs, inputs)));
  });

  test('multiply by derivatives that are finite numbers', () => {
    const x = input();
    const weighed = [2, 1, Number.POSITIVE_INFINITY].map((slope) => recordBinary(WEIGH, x, scalar(slope)));
    const { outputs } = quickly(weighed, [x]) as Program;
    expect(outputs.map(({ op, source }) => (source === null ? op : source.kind))).toEqual([MUL, 'input', WEIGH]);
  });

  test('are made of nothing else', () => {
    const x = input();
    expect(quickly([ops.sum(ops.add(x, constant(Float64Array.of(1, 2), [2]))) as Node], [x])).toBeNull();
    // The general way says what is wrong with a leaf that nobody gives.
    expect(quickly([ops.add(x, input()) as Node], [x])).toBeNull();
  });
});
