/**
 * The engine's operations for networks of executions side by side: a layer is one product for all of them. Those that most
 * networks consist of are in `layer-operations.ts`. Any other is evaluated at once, by the reference evaluator, which sums in the
 * order that it has for one execution alone: so what a network gives is the same to the last bit.
 */
import { topological } from '../../tensor/graph.ts';
import { LaneSpace } from '../../tensor/lane-space.ts';
import { constant } from '../../tensor/leaves.ts';
import { type Data, Node } from '../../tensor/node.ts';
import { evaluateKeeping } from '../../tensor/reference.ts';
import { SCALAR } from '../../tensor/shape.ts';
import { Column, column, differs, truths } from './column.ts';
import { currentGroup, type Group } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { LAYER_OPERATIONS } from './layer-operations.ts';
import { meter } from './meter.ts';
import { onTable, TensorColumn, tensorColumn } from './tensor-column.ts';

type Engine = typeof import('../../tensor/ops.ts');
type Operation = (...args: unknown[]) => unknown;

const spaces = new WeakMap<Group, LaneSpace>();

/** The executions of the current group, as the engine sees them. */
function spaceHere(): LaneSpace {
  const group = currentGroup();
  let space = spaces.get(group);
  if (space === undefined) {
    space = new LaneSpace(group.size);
    spaces.set(group, space);
  }
  return space;
}

/** A value as the engine takes it. */
function toEngine(value: unknown): unknown {
  if (value instanceof TensorColumn) return constant(value.rows, value.dims, spaceHere());
  if (value instanceof Column) return constant(value.data, SCALAR, spaceHere());
  return Array.isArray(value) && differs(value) ? value.map(toEngine) : value;
}

/** A result of the engine as the program sees it. */
function fromEngine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromEngine);
  if (!(value instanceof Node)) return value;
  if (value.data === null) evaluateKeeping(topological([value]));
  if (value.space === null) return value.value();
  const data = value.data as Data;
  const rows = data instanceof Float64Array ? data : Float64Array.from(data);
  if (value.shape.length > 0) {
    meter.tensors(currentGroup().size);
    return tensorColumn(rows, value.shape);
  }
  const numbers = Doubles.of(rows);
  return value.dtype === 'bool' ? truths(numbers) : column(numbers);
}

const adapted = (name: string, operation: Operation): Operation => {
  const ofColumns = LAYER_OPERATIONS.get(name);
  const ofAll = (args: readonly unknown[]): unknown => {
    const found = ofColumns?.(args);
    if (found === undefined) return fromEngine(operation(...args.map(toEngine)));
    meter.tensors(currentGroup().size);
    return found;
  };
  return (...args) => {
    if (!args.some(differs)) return operation(...args);
    const found = onTable(args, ofAll);
    return found === undefined ? ofAll(args) : found.value;
  };
};

let known: { readonly plain: Engine; readonly engine: Engine } | null = null;

/** The engine as executions side by side have it: operations take and give columns. */
export function columnEngine(plain: Engine): Engine {
  if (known?.plain !== plain) {
    const operations = new Map<string, Operation>();
    // A namespace may be frozen, and a proxy of it would have to give what it has.
    const engine = new Proxy({} as Engine, {
      get(_target, name: string) {
        const operation = (plain as unknown as Record<string, Operation>)[name];
        if (typeof operation !== 'function') return operation;
        let made = operations.get(name);
        if (made === undefined) {
          made = adapted(name, operation);
          operations.set(name, made);
        }
        return made;
      },
    });
    known = { plain, engine };
  }
  return known.engine;
}
