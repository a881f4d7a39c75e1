/**
 * A recording as WebAssembly, which V8 turns into machine code in a fraction of the time that it takes to optimise
 * JavaScript. There are no branches: all numbers are computed, and the guards along with them.
 */
import { ScalarWriter } from '../../tensor/plan/scalar-writer.ts';
import { F64, I32, type Import, ModuleBuilder } from '../../tensor/wasm/assembler.ts';
import { i32 } from '../../tensor/wasm/instructions.ts';
import { addSteps, type KeptLeaves } from './steps-code.ts';
import type { HostFunction, Tape, TapeNode } from './tape.ts';

interface DensityModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By the names under which they are imported. */
  readonly functions: ReadonlyMap<string, HostFunction>;
  /** Results before the guard. */
  readonly outputs: number;
}

/**
 * `density(results)`: reads values at the start of memory, and writes to `results`, in bytes. With leaves to keep, also `steps`
 * of a chain (`steps-code.ts`).
 */
export function densityModule(tape: Tape, leaves: readonly number[], kept: KeptLeaves | null): DensityModule {
  const { results: places, early } = resultsOf(tape, leaves);
  const results = places.map((node) => tape.nodes[node]);
  const members = computedFor(results, tape.nodes);
  const imports: Import[] = [];
  const functions = new Map<string, HostFunction>();
  for (const { op, inputs } of members) {
    if (op.fn === undefined || functions.has(op.name)) continue;
    functions.set(op.name, op.fn);
    imports.push({ name: op.name, signature: { parameters: new Array(inputs.length).fill(F64), results: [F64] } });
  }
  const module = new ModuleBuilder(imports);
  const slots = { slotOf: ({ source }: TapeNode) => (source as { place: number }).place, inputs: i32.const(0) };
  const wanted = new Set([...results, ...early.map((node) => tape.nodes[node])]);
  const density = module.function('density', [I32], [], (b) => {
    const writer = new ScalarWriter<TapeNode>(b, slots, (name) => module.callImport(name));
    writer.write(
      members,
      (node) => wanted.has(node),
      () => {},
    );
    results.forEach((node, slot) => {
      writer.store(node, slot);
    });
  });
  const outputs = results.length - 1;
  if (kept !== null) addSteps(module, density, kept, outputs);
  return { bytes: module.build(false), functions, outputs };
}

/** What has to be computed for the results, in order. */
function computedFor(results: readonly TapeNode[], nodes: readonly TapeNode[]): TapeNode[] {
  const isNeeded = new Uint8Array(nodes.length);
  for (const { id } of results) isNeeded[id] = 1;
  for (let id = nodes.length - 1; id >= 0; id--) {
    if (isNeeded[id] === 1) for (const input of nodes[id].inputs) isNeeded[input.id] = 1;
  }
  return nodes.filter(({ id, source }) => isNeeded[id] === 1 && source === null);
}

/**
 * The numbers of the results, in the order of `results.ts`, the guard at the end, and numbers that are computed in their
 * turn: computed at the end, where they are used, they would keep all their operands alive until then.
 */
function resultsOf(tape: Tape, leaves: readonly number[]): { results: number[]; early: number[] } {
  tape.end();
  const no = tape.constant(0);
  const lost = tape.constant(-Infinity);
  const either = (a: number, b: number): number => (a === no ? b : tape.operate('or', a, b));
  let [factors, choices, impossible, strayed] = [no, no, no, no];
  // After a point at which the execution is impossible, guards do not count: the program would not get there.
  const noteImpossible = (): void => {
    const found = tape.operate('or', tape.operate('eq', factors, lost), tape.operate('eq', choices, lost));
    impossible = either(impossible, found);
  };
  const scores: number[] = [];
  const early: number[] = [];
  let noted = true;
  for (const { kind, node } of tape.statements) {
    if (kind === 'factor') factors = tape.operate('add', factors, node);
    else if (kind === 'choice') {
      scores.push(node);
      choices = tape.operate('add', choices, node);
    } else if (kind === 'mark') scores.push(factors);
    else {
      if (!noted) noteImpossible();
      const fails = tape.operate('not', node);
      const strays = impossible === no ? fails : tape.operate('and', fails, tape.operate('not', impossible));
      strayed = either(strayed, strays);
      early.push(strayed);
    }
    if (kind !== 'mark') noted = kind === 'check';
  }
  noteImpossible();
  const finite = tape.constant(Infinity);
  const clear = tape.operate('and', tape.operate('lt', factors, finite), tape.operate('lt', choices, finite));
  const unclear = tape.operate('and', tape.operate('not', impossible), tape.operate('not', clear));
  return { results: [impossible, choices, factors, ...scores, ...leaves, either(strayed, unclear)], early };
}
