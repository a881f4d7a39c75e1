/**
 * What the steps of a program's plans take: `node bench/engine/steps.js PROGRAM [--device blas] [--most 40]`. Each plan is run step by step, and
 * the least time of each step is kept, so that what else the machine does counts little. Prints the plans that took most, their steps in order.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../src/program/run.ts';
import type { Value } from '../../src/tensor/plan/program.ts';
import type { Step } from '../../src/tensor/plan/schedule.ts';
import { WasmPlan } from '../../src/tensor/plan/wasm-plan.ts';

/** What is used here of a plan's own parts. */
interface Parts {
  readonly schedule: { readonly steps: readonly Step[] };
  readonly runs: readonly {
    readonly kind: string;
    readonly perform?: (slots: Float64Array, at: number) => void;
    readonly kernel?: (table: number) => void;
    readonly tables?: readonly number[];
    readonly call?: () => void;
  }[];
  readonly slotView: Float64Array;
  readonly slotsAt: number;
  readonly laidOut: { readonly sizes: readonly number[] };
  check(): void;
}

interface Times {
  runs: number;
  total: number;
  readonly least: number[];
  sizes: readonly number[];
}

const found = new Map<Parts, Times>();

function perform(this: Parts): void {
  const times = found.get(this) ?? { runs: 0, total: 0, least: this.runs.map(() => Infinity), sizes: [] };
  found.set(this, times);
  times.runs++;
  times.sizes = this.laidOut.sizes;
  this.runs.forEach((step, i) => {
    const begin = performance.now();
    if (step.kind === 'kernel') for (const table of step.tables!) step.kernel!(table);
    else if (step.kind === 'scalars') step.perform!(this.slotView, this.slotsAt);
    else step.call!();
    const took = performance.now() - begin;
    times.least[i] = Math.min(times.least[i], took);
    times.total += took;
  });
  this.check();
}

const shapeOf = ({ dtype, space, shape, isScalar }: Value, sizes: readonly number[]): string =>
  isScalar ? 'scalar' : `${dtype}[${[...(space < 0 ? [] : [`${sizes[space]}*`]), ...shape].join(',')}]`;

const nameOf = ({ op, source }: Value): string => (source === null ? op.name : source.kind);

function describe(step: Step, sizes: readonly number[]): string {
  if (step.kind === 'scalars') return `scalars: ${step.members.length}`;
  if (step.kind === 'single') {
    const { value } = step;
    return `${nameOf(value)} ${shapeOf(value, sizes)} <- ${value.inputs.map((one) => `${nameOf(one)} ${shapeOf(one, sizes)}`).join('; ')}`;
  }
  const { domain, members, reductions, rows, operands, tables, compute } = step;
  const dims = [...(domain.space < 0 ? [] : [`${sizes[domain.space]}*`]), ...domain.shape].join(',');
  const list = (what: string, values: readonly Value[]): string =>
    values.length === 0 ? '' : ` | ${what} ${values.map((one) => `${nameOf(one)} ${shapeOf(one, sizes)}`).join('; ')}`;
  const reduced = list('reduces', reductions);
  return `kernel ${compute} [${dims}]: ${members.map(nameOf).join(' ')}${list('reads', operands)}${list('tables', tables)}${reduced}${list('rows', rows)}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: 'string' },
    most: { type: 'string', default: '40' },
    plans: { type: 'string', default: '3' },
  },
});
Object.assign(WasmPlan.prototype, { perform });
const file = resolve(positionals[0]);
await run(readFileSync(file, 'utf8'), {
  file,
  seed: 1,
  engine: { threads: 1, ...(values.device !== undefined && { device: values.device as 'blas' }) },
});
const plans = [...found].sort(([, a], [, b]) => b.total - a.total).slice(0, Number(values.plans));
for (const [plan, { runs, least, total, sizes }] of plans) {
  const sum = least.reduce((a, b) => a + b, 0);
  console.log(
    `\n${runs} runs, ${total.toFixed(1)} ms in all; at best ${(sum * 1e3).toFixed(1)} µs a run in ${least.length} steps`,
  );
  least
    .map((took, i) => ({ took, text: describe(plan.schedule.steps[i], sizes) }))
    .filter(({ took }) => took >= [...least].sort((a, b) => b - a)[Math.min(Number(values.most), least.length) - 1])
    .forEach(({ took, text }) => {
      console.log(`${(took * 1e3).toFixed(1).padStart(9)}  ${text}`);
    });
}
