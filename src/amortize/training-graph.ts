/**
 * The network over a batch of dreams, as one graph, whatever way each execution went: all choices of all executions are rows, and
 * what a choice is told of earlier ones is picked by index. Nothing in it has to wait for the choice before.
 *
 * The data are tokens. A choice reads a weighted mean of them, with weights that depend on where choice and token are (call site,
 * iteration) and not on values: so the weights are shared by all executions, and in use by all samples. Of earlier choices it is told
 * the last one, the last one at the same site, and the sum of all. A hidden layer or two make of this what the head says.
 */
import { gradient } from '../tensor/gradient/gradient.ts';
import { constant, input } from '../tensor/leaves.ts';
import type { DType, Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { LIKENESSES, type Room } from './pack.ts';
import type { Parameters } from './parameters.ts';
import {
  EMBEDDING,
  HEADS,
  type NetworkSizes,
  outputsOf,
  PRIOR_FEATURES,
  SPREAD,
  strength,
  VALUE_FEATURES,
} from './sizes.ts';

/** Inputs by name, in the order in which they were asked for. */
class Inputs {
  readonly nodes: Node[] = [];
  readonly names: string[] = [];

  of(name: string, shape: readonly number[], dtype: DType = 'f32'): Node {
    const node = input([...shape], dtype);
    this.nodes.push(node);
    this.names.push(name);
    return node;
  }
}

export interface TrainingPlan {
  readonly plan: Plan;
  /** Names of the inputs after the parameters. */
  readonly inputs: readonly string[];
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

const tableRows = (table: Node, index: Node): Node => ops.gather(table, index) as Node;

export function trainingPlan(parameters: Parameters, sizes: NetworkSizes, room: Room): TrainingPlan {
  const inputs = new Inputs();
  const weights = new Map(parameters.names.map((name) => [name, input([...parameters.table.get(name)!.dims], 'f32')]));
  const w = (name: string): Node => weights.get(name)!;
  const loss = lossOf(w, inputs, sizes, room);
  const wanted = [...weights.values()];
  const plan = compilePlan([loss, ...gradient(loss, wanted)], [...wanted, ...inputs.nodes]);
  return { plan, inputs: inputs.names, shapes: new Map(inputs.names.map((name, i) => [name, inputs.nodes[i].shape])) };
}

function lossOf(w: (name: string) => Node, inputs: Inputs, sizes: NetworkSizes, room: Room): Node {
  const { rows } = room;
  const keys = choiceKeys(w, inputs, room);
  const read = readings(w, inputs, sizes, room, keys);
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
  const sums = ops.inDoublePrecision(ops.cumsum(ops.inDoublePrecision(tokens), 0) as Node);
  const before = ops.sub(
    tableRows(sums, inputs.of('before', [rows], 'i32')),
    tableRows(sums, inputs.of('start', [rows], 'i32')),
  );
  const summed = ops.mul(ops.inSinglePrecision(before as Node) as Node, inputs.of('sum scale', [rows, 1]));
  const told = ops.concat(
    [
      tableRows(tokens, inputs.of('last', [rows], 'i32')),
      tableRows(tokens, inputs.of('same', [rows], 'i32')),
      summed as Node,
      inputs.of('prior', [rows, PRIOR_FEATURES]),
    ],
    1,
  ) as Node;
  const first = ops.add(
    ops.add(
      ops.matmul(told, w('told')),
      ops.matmul(tableRows(read, inputs.of('row read', [rows], 'i32')), w('reading')),
    ),
    tableRows(ops.add(ops.matmul(keys, w('key')), w('first bias')) as Node, keyOfRow),
  );
  const hidden = ops.relu(first as Node) as Node;
  const second = ops.add(ops.relu(ops.add(ops.matmul(hidden, w('second')), w('second bias')) as Node), hidden) as Node;
  let total: Node | null = null;
  for (const head of HEADS) {
    const count = room.heads[head];
    if (!count) continue;
    const own = tableRows(second, inputs.of(`${head} rows`, [count], 'i32'));
    const output = ops.matmul(own, w(`head ${head}`)) as Node;
    const logs = headLogs(head, output, inputs, sizes, count);
    const cost = ops.sum(ops.mul(logs, inputs.of(`${head} weight`, [count], 'f64'))) as Node;
    total = total === null ? cost : (ops.add(total, cost) as Node);
  }
  return ops.neg(total!) as Node;
}

/** Embeddings of choices: where they are. */
function choiceKeys(w: (name: string) => Node, inputs: Inputs, { choiceKeys: count }: Room): Node {
  const sites = tableRows(w('site'), inputs.of('key site', [count], 'i32'));
  return [0, 1, 2].reduce<Node>(
    (sum, k) => ops.add(sum, tableRows(w(`position ${k}`), inputs.of(`key position ${k}`, [count], 'i32'))) as Node,
    sites,
  );
}

/** What each choice would read of the data of each execution: rows of execution × choice. */
function readings(w: (name: string) => Node, inputs: Inputs, sizes: NetworkSizes, room: Room, keys: Node): Node {
  const { reads, read } = sizes;
  const { lanes, dataKeys, choiceKeys: choices } = room;
  const data = [0, 1].reduce<Node>(
    (sum, k) =>
      ops.add(sum, tableRows(w(`data position ${k}`), inputs.of(`data position ${k}`, [dataKeys], 'i32'))) as Node,
    tableRows(w('signature'), inputs.of('data signature', [dataKeys], 'i32')),
  );
  // What each token says.
  const offsets = ops.matmul(data, w('data key')) as Node;
  const values: Node[] = [];
  const places: Node[] = [];
  room.tokens.forEach((count, s) => {
    if (count === 0) return;
    const width = w(`signature ${s}`).shape[0];
    const shown = ops.matmul(inputs.of(`tokens ${s}`, [count, width]), w(`signature ${s}`)) as Node;
    values.push(ops.add(shown, tableRows(offsets, inputs.of(`token key ${s}`, [count], 'i32'))) as Node);
    places.push(inputs.of(`token place ${s}`, [count], 'i32'));
  });
  const there = inputs.of('there', [lanes, dataKeys]);
  const liked = ops.matmul(inputs.of('likeness', [choices * dataKeys, LIKENESSES]), w('likeness')) as Node;
  const asked = ops.matmul(keys, w('query')) as Node;
  const offered = ops.matmul(data, w('offer')) as Node;
  const spoken =
    values.length === 0 ? null : (ops.matmul(ops.relu(ops.concat(values, 0) as Node), w('spoken')) as Node);
  const place = places.length === 0 ? null : (ops.concat(places, 0) as Node);
  const parts: Node[] = [];
  for (let h = 0; h < reads; h++) {
    const scores = ops.add(
      ops.matmul(part(asked, h, EMBEDDING / 2), part(offered, h, EMBEDDING / 2), false, true),
      ops.reshape(ops.sliceAxis(liked, 1, h, h + 1) as Node, [choices, dataKeys]),
    ) as Node;
    const weights = ops.exp(ops.sub(scores, ops.stopGradient(ops.maxOf(scores, 1, true) as Node)) as Node) as Node;
    const total = ops.add(ops.matmul(there, weights, false, true), 1e-6) as Node;
    const table =
      spoken === null
        ? null
        : (ops.reshape(ops.segmentSum(part(spoken, h, read), place!, lanes * dataKeys), [
            lanes,
            dataKeys,
            read,
          ]) as Node);
    if (table === null) continue;
    const mean = ops.div(ops.matmul(weights, table), ops.reshape(total, [lanes, choices, 1])) as Node;
    parts.push(ops.reshape(mean, [lanes * choices, read]) as Node);
  }
  return ops.concat(parts, 1) as Node;
}

/** The h-th block of columns. */
const part = (matrix: Node, h: number, width: number): Node =>
  ops.sliceAxis(matrix, 1, h * width, (h + 1) * width) as Node;

const softsign = (x: unknown): Node => ops.div(x as Node, ops.add(ops.abs(x as Node), 1)) as Node;

/** Log of guide over prior, for each row of a head. */
function headLogs(head: string, output: Node, inputs: Inputs, sizes: NetworkSizes, count: number): Node {
  if (head.startsWith('finite')) return listLogs(head, output, inputs, count);
  const { components } = sizes;
  const wide = ops.inDoublePrecision(output) as Node;
  const [means, spreads, logits] = [0, 1, 2].map((k) => part(wide, k, components));
  const strengths = new Float64Array(components).map((_, k) => strength(k, components));
  const scale = constant(strengths, [1, components]);
  const mean = ops.mul(means, scale) as Node;
  const spread = ops.mul(ops.tanh(ops.div(ops.mul(spreads, scale) as Node, SPREAD) as Node), SPREAD) as Node;
  const shares = ops.logSoftmax(logits, 1) as Node;
  const standard = (name: string): Node =>
    ops.mul(ops.sub(inputs.of(`${head} ${name}`, [count, 1], 'f64'), mean), ops.exp(ops.neg(spread) as Node)) as Node;
  if (head === 'real') {
    const z = standard('u');
    const logs = ops.sub(ops.sub(shares, spread), ops.mul(0.5, ops.square(z) as Node)) as Node;
    return ops.add(ops.logsumexp(logs, 1) as Node, inputs.of('real offset', [count], 'f64')) as Node;
  }
  const [a, b] = [standard('lower'), standard('upper')];
  const flipped = ops.gt(a, 0) as Node;
  const low = ops.select(flipped, ops.neg(b) as Node, a) as Node;
  const high = ops.select(flipped, ops.neg(a) as Node, b) as Node;
  const mass = ops.sub(ops.normalCdf(high) as Node, ops.normalCdf(low) as Node) as Node;
  const chance = ops.sum(ops.mul(ops.exp(shares) as Node, mass) as Node, 1) as Node;
  return ops.sub(ops.log(ops.max(chance, 1e-280) as Node), inputs.of('whole log', [count], 'f64')) as Node;
}

function listLogs(head: string, output: Node, inputs: Inputs, count: number): Node {
  const length = Number(head.slice(6));
  const own = part(output, 0, length);
  const listed = inputs.of(`${head} list`, [count, length]);
  const bent = ops.add(
    ops.mul(listed, ops.sliceAxis(output, 1, length, length + 1) as Node),
    ops.mul(ops.square(listed) as Node, ops.sliceAxis(output, 1, length + 1, length + 2) as Node),
  );
  const logits = ops.add(ops.add(own, bent as Node), inputs.of(`${head} logs`, [count, length])) as Node;
  const chosen = ops.mul(ops.logSoftmax(logits, 1) as Node, inputs.of(`${head} chosen`, [count, length])) as Node;
  return ops.sub(
    ops.inDoublePrecision(ops.sum(chosen, 1) as Node) as Node,
    inputs.of(`${head} log`, [count], 'f64'),
  ) as Node;
}

/** Declares the parameters that a network of this room needs. Heads start at 0, where the guide is the prior. */
export function declareParameters(
  parameters: Parameters,
  sizes: NetworkSizes,
  counts: { readonly sites: number; readonly signatures: readonly number[]; readonly positions: number },
): void {
  const { hidden, token, read, reads } = sizes;
  const told = 3 * token + PRIOR_FEATURES;
  const rows = Math.max(8, 2 ** Math.ceil(Math.log2(counts.sites + 1)));
  const e = EMBEDDING;
  parameters.declare('site', [rows, e], 0.3);
  parameters.declare('token site', [rows, token], 0.5);
  parameters.declare('token index', [66, token], 0.5);
  for (let k = 0; k < 3; k++) parameters.declare(`position ${k}`, [counts.positions, e], 0.2);
  for (let k = 0; k < 2; k++) parameters.declare(`data position ${k}`, [counts.positions, e], 0.2);
  parameters.declare('signature', [Math.max(1, counts.signatures.length), e], 0.3);
  const wide = 2 * read * reads;
  counts.signatures.forEach((width, s) => {
    parameters.declare(`signature ${s}`, [width, wide], 1 / Math.sqrt(Math.max(1, width)));
  });
  parameters.declare('data key', [e, wide], 0.5 / Math.sqrt(e));
  parameters.declare('spoken', [wide, read * reads], Math.sqrt(2 / wide));
  parameters.declare('query', [e, (reads * e) / 2], 0.5 / Math.sqrt(e));
  parameters.declare('offer', [e, (reads * e) / 2], 0.5 / Math.sqrt(e));
  parameters.declare('likeness', [LIKENESSES, reads], 0);
  parameters.declare('value', [VALUE_FEATURES, token], 0.7);
  parameters.declare('told', [told, hidden], Math.sqrt(1 / told));
  parameters.declare('reading', [read * reads, hidden], Math.sqrt(1 / (read * reads)));
  parameters.declare('key', [e, hidden], Math.sqrt(1 / e));
  parameters.declare('first bias', [hidden], 0);
  parameters.declare('second', [hidden, hidden], Math.sqrt(1 / hidden));
  parameters.declare('second bias', [hidden], 0);
  for (const head of HEADS) parameters.declare(`head ${head}`, [hidden, outputsOf(head, sizes)], 0);
  // Of the reads the first looks at the iteration, or the round, of the choice itself.
  const likenesses = parameters.get('likeness');
  if (parameters.steps === 0) for (const k of [0, 5]) likenesses[k * reads] = 3;
}
