/** What a run says and shows while it goes on, kept for a report. */
import { lineView } from '../library/viz/spec/two-dimensions.ts';
import type { Trace } from '../runtime/machine.ts';
import { type Block, figuresIn } from './blocks.ts';
import { blocksOf } from './values.ts';

/** Outputs are shown as text once a page has so many charts, and counted once it has so many pieces. */
const MOST_FIGURES = 60;
const MOST_BLOCKS = 1000;

/** Curves of optimisations beyond this many are counted. */
const MOST_CURVES = 12;

interface Curve {
  name: string;
  readonly steps: number[];
  readonly values: number[];
}

export class RunRecord {
  private readonly outputs: Block[] = [];
  private readonly advice: string[] = [];
  private readonly curves: Curve[] = [];
  private left = 0;
  private figures = 0;
  private unshown = 0;

  /** An output, as it is now: what the program does with the value later does not change it. */
  output(value: unknown, text: string): void {
    if (this.outputs.length >= MOST_BLOCKS) {
      this.unshown++;
      return;
    }
    const blocks: Block[] = this.figures < MOST_FIGURES ? blocksOf(value, text) : [{ kind: 'text', text }];
    this.figures += figuresIn(blocks).length;
    this.outputs.push(...blocks);
  }

  warn(message: string): void {
    this.advice.push(message);
  }

  /** A function that is told of the points of one optimisation's curve as they come. */
  curve(): (trace: Trace) => void {
    let curve: Curve | undefined;
    let counted = false;
    return ({ name, points }) => {
      if (this.curves.length >= MOST_CURVES && curve === undefined) {
        if (!counted) this.left++;
        counted = true;
        return;
      }
      if (curve === undefined) {
        curve = { name, steps: [], values: [] };
        this.curves.push(curve);
      }
      for (const [done, value] of points) {
        curve.steps.push(done);
        curve.values.push(value);
      }
    };
  }

  /** All of it, with the value of the program or what it failed with. */
  blocks(end: { readonly value: unknown; readonly text: string } | { readonly error: string } | undefined): Block[] {
    const blocks: Block[] = [];
    if (end !== undefined && 'error' in end) {
      blocks.push({ kind: 'heading', text: 'The run failed' }, { kind: 'error', text: end.error });
    }
    if (this.outputs.length > 0) blocks.push({ kind: 'heading', text: 'Outputs' }, ...this.outputs);
    if (this.unshown > 0) blocks.push({ kind: 'note', text: `… and ${this.unshown} more outputs` });
    if (end !== undefined && 'value' in end) {
      blocks.push({ kind: 'heading', text: 'Value' }, ...blocksOf(end.value, end.text));
    }
    if (this.curves.length > 0) blocks.push({ kind: 'heading', text: 'Optimisation' }, ...this.curveBlocks());
    if (this.advice.length > 0) {
      blocks.push({ kind: 'heading', text: 'Advice' });
      blocks.push(...this.advice.map((text): Block => ({ kind: 'advice', text })));
    }
    return blocks;
  }

  private curveBlocks(): Block[] {
    const blocks = this.curves.map(({ name, steps, values }, i): Block => {
      const which = this.curves.length > 1 ? ` of optimisation ${i + 1}` : '';
      const last = values.at(-1) as number;
      const spec = lineView({ xs: steps, ys: values }, { xLabel: 'step', yLabel: name });
      const caption = `${name}${which} by step, smoothed; at the end ${Number(last.toPrecision(6))}`;
      return { kind: 'figure', figure: { name: `${name}-curve`, caption, spec } };
    });
    if (this.left > 0) blocks.push({ kind: 'text', text: `… and ${this.left} more optimisations` });
    return blocks;
  }
}
