/**
 * The network on a batch of dreams, as one graph, whatever way each execution went. The choices of all executions
 * are its rows, and the earlier choices that a choice reads are picked by index, so that nothing has to wait for the
 * choice before. A choice reads the data (`data-graph.ts`) and earlier choices: the last one, the last one at the
 * same site, the sum of all, and those of the same iteration. Two hidden layers turn this into the input of the
 * head. A list of values may point to what was chosen in iterations with the numbers of its values, as in
 * `means[randomInteger(k)]`.
 */
import { gradient } from '../tensor/gradient/gradient.ts';
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { attended, choiceKeys, readings } from './data-graph.ts';
import { Inputs, tableRows, type Weights } from './graph-inputs.ts';
import { headLogs } from './head-logs.ts';
import type { Room } from './pack.ts';
import type { Parameters } from './parameters.ts';
import {
  GATES,
  HEADS,
  layerNames,
  listLengthOf,
  type NetworkSizes,
  POINT,
  PRIOR_FEATURES,
  VALUE_FEATURES,
} from './sizes.ts';

export interface TrainingPlan {
  readonly plan: Plan;
  /** Names of the inputs after the parameters. */
  readonly inputs: readonly string[];
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

export function trainingPlan(parameters: Parameters, sizes: NetworkSizes, room: Room): TrainingPlan {
  const inputs = new Inputs();
  const weights = new Map(parameters.names.map((name) => [name, input([...parameters.table.get(name)!.dims], 'f32')]));
  const w = (name: string): Node => weights.get(name)!;
  const loss = lossOf(w, inputs, sizes, room);
  const wanted = [...weights.values()];
  const plan = compilePlan([loss, ...gradient(loss, wanted)], [...wanted, ...inputs.nodes]);
  return { plan, inputs: inputs.names, shapes: new Map(inputs.names.map((name, i) => [name, inputs.nodes[i].shape])) };
}

function lossOf(w: Weights, inputs: Inputs, sizes: NetworkSizes, room: Room): Node {
  const { rows } = room;
  const keys = choiceKeys(w, inputs, room);
  const data = readings(w, inputs, sizes, room, keys);
  const keyOfRow = inputs.of('row key', [rows], 'i32');
  // What each choice is to later ones.
  const tokens = ops.mul(
    softsign(
      ops.add(
        ops.add(
          ops.matmul(inputs.of('value', [rows, VALUE_FEATURES]), w('value')),
          tableRows(w('token site'), inputs.of('row site', [rows], 'i32')),
        ),
        tableRows(w('token index'), inputs.of('row index', [rows], 'i32')),
      ),
    ),
    inputs.of('row is real', [rows, 1]),
  ) as Node;
  const [entry, exit] = GATES.map((name) => tableRows(ops.add(ops.matmul(keys, w(name)), 1) as Node, keyOfRow));
  const before = ops.runningSums(ops.mul(tokens, entry) as Node, inputs.of('begins', [rows]));
  const summed = ops.mul(ops.mul(before, exit), inputs.of('sum scale', [rows, 1]));
  const features = ops.concat(
    [
      tableRows(tokens, inputs.of('last', [rows], 'i32')),
      tableRows(tokens, inputs.of('same', [rows], 'i32')),
      summed as Node,
      inputs.of('prior', [rows, PRIOR_FEATURES]),
    ],
    1,
  ) as Node;
  const points = room.points ? pointing(w, inputs, rows, tokens) : null;
  const terms = [
    ops.matmul(features, w('told')),
    tableRows(ops.add(ops.matmul(keys, w('key')), w('first bias')) as Node, keyOfRow),
  ] as Node[];
  if (data.read !== null) {
    terms.push(ops.matmul(tableRows(data.read, inputs.of('row read', [rows], 'i32')), w('reading')) as Node);
  }
  if (points !== null) terms.push(ops.matmul(points.between('peer', rows), w('peer')) as Node);
  const first = ops.relu(terms.reduce((sum, term) => ops.add(sum, term) as Node)) as Node;
  const isAttending = sizes.heads > 0 && sizes.attending > 0 && data.encoded !== null;
  const hidden = isAttending
    ? (ops.add(first, ops.matmul(attended(w, inputs, sizes, room, data, first), w('attended'))) as Node)
    : first;
  const second = layerNames(sizes).reduce(
    (h, name) => ops.add(ops.relu(ops.add(ops.matmul(h, w(name)), w(`${name} bias`)) as Node), h) as Node,
    hidden,
  );
  let total: Node | null = null;
  for (const head of HEADS) {
    const count = room.heads[head];
    if (!count) continue;
    const own = tableRows(second, inputs.of(`${head} rows`, [count], 'i32'));
    const output = ops.matmul(own, w(`head ${head}`)) as Node;
    const pointed =
      points === null || listLengthOf(head) === 0
        ? null
        : points.logits(head, count, ops.matmul(own, w('point query')) as Node);
    const logs = headLogs(head, output, inputs, sizes, count, pointed);
    const cost = ops.sum(ops.mul(logs, inputs.of(`${head} weight`, [count], 'f64'))) as Node;
    total = total === null ? cost : (ops.add(total, cost) as Node);
  }
  return ops.neg(total!) as Node;
}

const softsign = (x: unknown): Node => ops.div(x as Node, ops.add(ops.abs(x as Node), 1)) as Node;

/** What was chosen in each iteration so far: keys of choices, summed by their iterations. */
interface Pointing {
  /** The sum of keys between two places, for so many. */
  between(name: string, count: number): Node;
  /** For each value of a list, how well the choices of the iteration with its number fit what is looked for. */
  logits(head: string, count: number, query: Node): Node;
}

function pointing(w: Weights, inputs: Inputs, rows: number, tokens: Node): Pointing {
  const gates = tableRows(w('point gate'), inputs.of('row site', [rows], 'i32'));
  const keys = ops.mul(ops.matmul(tokens, w('point key')), gates) as Node;
  const ordered = tableRows(keys, inputs.of('by iteration', [rows], 'i32'));
  const sums = ops.cumsum(ops.inDoublePrecision(ordered), 0) as Node;
  const between = (name: string, count: number): Node => {
    const at = (end: string): Node => tableRows(sums, inputs.of(`${name} ${end}`, [count], 'i32'));
    return ops.inSinglePrecision(ops.sub(at('to'), at('from')) as Node) as Node;
  };
  const logits = (head: string, count: number, query: Node): Node => {
    const length = listLengthOf(head);
    const found = ops.reshape(between(`${head} points`, count * length), [count, length, POINT]) as Node;
    return ops.sum(ops.mul(found, ops.reshape(query, [count, 1, POINT])) as Node, 2) as Node;
  };
  return { between, logits };
}
