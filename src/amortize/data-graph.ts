/**
 * How choices read the data, as a graph. Each choice reads weighted means of all data. The weights depend on where
 * choice and datum are (call site, iteration) and not on values, so that all executions share them. In short
 * executions, choices also search the data by their contents.
 */
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Inputs, part, tableRows, type Weights } from './graph-inputs.ts';
import { RELATIONS, type Room } from './pack.ts';
import { EMBEDDING, type NetworkSizes } from './sizes.ts';

/** The data in the form in which they are read. */
interface Data {
  /** What each choice would read of the data of each execution: rows of choice × execution. */
  readonly read: Node | null;
  /** Sums of the tokens of data by their places: rows of place × execution. */
  readonly encoded: Node | null;
  readonly relations: Node;
}

/** Embeddings of choices: where they are. */
export function choiceKeys(w: Weights, inputs: Inputs, { choiceKeys: count }: Room): Node {
  const sites = tableRows(w('site'), inputs.of('key site', [count], 'i32'));
  return [0, 1, 2].reduce<Node>(
    (sum, k) => ops.add(sum, tableRows(w(`position ${k}`), inputs.of(`key position ${k}`, [count], 'i32'))) as Node,
    sites,
  );
}

/** What each choice would read of the data of each execution: rows of choice × execution. */
export function readings(w: Weights, inputs: Inputs, sizes: NetworkSizes, room: Room, keys: Node): Data {
  const { reads, read } = sizes;
  const { lanes, dataKeys, choiceKeys: choices } = room;
  const data = [0, 1].reduce<Node>(
    (sum, k) =>
      ops.add(sum, tableRows(w(`data position ${k}`), inputs.of(`data position ${k}`, [dataKeys], 'i32'))) as Node,
    tableRows(w('signature'), inputs.of('data signature', [dataKeys], 'i32')),
  );
  // The value of each token for those that read it.
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
  const there = inputs.of('there', [dataKeys, lanes]);
  const relations = inputs.of('likeness', [choices * dataKeys, RELATIONS]);
  const relationScores = ops.matmul(relations, w('likeness')) as Node;
  const asked = ops.matmul(keys, w('query')) as Node;
  const tokenKeys = ops.matmul(data, w('offer')) as Node;
  const encoded = values.length === 0 ? null : (ops.relu(ops.concat(values, 0) as Node) as Node);
  const tokenValue = encoded === null ? null : (ops.matmul(encoded, w('spoken')) as Node);
  const place = places.length === 0 ? null : (ops.concat(places, 0) as Node);
  const parts: Node[] = [];
  for (let h = 0; h < reads; h++) {
    const scores = ops.add(
      ops.matmul(part(asked, h, EMBEDDING / 2), part(tokenKeys, h, EMBEDDING / 2), false, true),
      ops.reshape(ops.sliceAxis(relationScores, 1, h, h + 1) as Node, [choices, dataKeys]),
    ) as Node;
    const weights = ops.exp(ops.sub(scores, ops.stopGradient(ops.maxOf(scores, 1, true) as Node)) as Node) as Node;
    if (tokenValue === null) continue;
    // One product for all executions: a row for each place, and in it the numbers of all of them.
    const table = ops.reshape(ops.segmentSum(part(tokenValue, h, read), place!, dataKeys * lanes), [
      dataKeys,
      lanes * read,
    ]);
    const total = ops.add(ops.matmul(weights, there), 1e-6) as Node;
    const sums = ops.reshape(ops.matmul(weights, table as Node), [choices, lanes, read]) as Node;
    parts.push(ops.reshape(ops.div(sums, ops.reshape(total, [choices, lanes, 1])), [choices * lanes, read]) as Node);
  }
  const table = encoded === null ? null : (ops.segmentSum(encoded, place!, dataKeys * lanes) as Node);
  return { read: parts.length === 0 ? null : (ops.concat(parts, 1) as Node), encoded: table, relations };
}

/**
 * What choices find when they search the data: means of tokens. The weights compare a query, which depends on
 * earlier choices, with the keys of data, and take account of where choice and datum are. A choice may also find
 * nothing.
 */
export function attended(
  w: Weights,
  inputs: Inputs,
  { heads, width, attending }: NetworkSizes,
  { lanes, rows, dataKeys, choiceKeys: choices }: Room,
  { encoded, relations }: Data,
  hidden: Node,
): Node {
  const means = ops.mul(encoded!, inputs.of('there share', [dataKeys * lanes, 1])) as Node;
  const byExecution = inputs.of('by execution', [lanes * dataKeys], 'i32');
  const [keys, values] = ['attention key', 'attention value'].map((name) =>
    tableRows(ops.matmul(means, w(name)) as Node, byExecution),
  );
  const queries = ops.matmul(hidden, w('attention query')) as Node;
  const padded = inputs.of('padded rows', [lanes * attending], 'i32');
  const paddedKeys = inputs.of('padded keys', [lanes * attending], 'i32');
  const missing = inputs.of('there log', [lanes, 1, dataKeys]);
  const relationScores = ops.matmul(relations, w('attention likeness')) as Node;
  const found = Array.from({ length: heads }, (_, h) => {
    const query = ops.reshape(tableRows(part(queries, h, width), padded), [lanes, attending, width]) as Node;
    const data = (matrix: Node): Node => ops.reshape(part(matrix, h, width), [lanes, dataKeys, width]) as Node;
    const places = tableRows(ops.reshape(part(relationScores, h, 1), [choices, dataKeys]) as Node, paddedKeys);
    const scores = ops.add(
      ops.add(ops.matmul(query, data(keys), false, true), ops.reshape(places, [lanes, attending, dataKeys])),
      missing,
    ) as Node;
    const top = ops.stopGradient(ops.max(ops.maxOf(scores, 2, true) as Node, 0) as Node) as Node;
    const shares = ops.exp(ops.sub(scores, top) as Node) as Node;
    const total = ops.add(ops.sum(shares, 2, true) as Node, ops.exp(ops.neg(top) as Node) as Node);
    return ops.reshape(ops.div(ops.matmul(shares, data(values)), total), [lanes * attending, width]) as Node;
  });
  return ops.mul(
    tableRows(ops.concat(found, 1) as Node, inputs.of('row places', [rows], 'i32')),
    inputs.of('row attends', [rows, 1]),
  ) as Node;
}
