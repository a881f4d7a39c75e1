/** No operation is left out of the table that tests go by. */
import { expect, it } from 'vitest';
import '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { topological } from '../../src/tensor/graph.ts';
import type { LaneSpace } from '../../src/tensor/lane-space.ts';
import { allOps } from '../../src/tensor/node.ts';
import { arrangements, type Case, cases, laneCaseSpace, laneCases } from './cases.ts';
import { inputData, inputNodes, objective } from './inputs.ts';

type Spaces = (input: number) => LaneSpace | null;

it('gradients are tested for every operation there is', () => {
  // Neither places of lanes nor random numbers have gradients.
  const flat = ['partition', 'laneNoise', 'laneDraw'];
  // The last four are only found in plans, which have been differentiated.
  const seen = new Set<string>([
    ...flat,
    'constant',
    'input',
    'resident',
    'toF32',
    'toF64',
    'part',
    'row',
    'pick',
    'addAt',
  ]);
  const visit = (row: Case, spaces: Spaces): void => {
    const output = objective(row, inputNodes(row, spaces, inputData(row, spaces, 1)));
    const gradients = row.flat ? [] : gradient(output, []);
    for (const node of topological([output, ...gradients])) seen.add(node.op.name);
  };
  for (const row of cases) visit(row, arrangements['no lanes']);
  for (const row of cases) visit(row, arrangements['child and parent']);
  for (const row of laneCases) {
    visit(row, () => laneCaseSpace);
    const inputs = inputNodes(
      row,
      () => laneCaseSpace,
      inputData(row, () => laneCaseSpace, 1),
    );
    for (const node of topological(gradient(objective(row, inputs), inputs))) seen.add(node.op.name);
  }
  expect(allOps.filter((op) => !seen.has(op.name)).map((op) => op.name)).toEqual([]);
});
