/** What a report of a run is made of, in the order of the page. */
import type { Spec } from '../library/viz/spec/view.ts';

/** A chart with its words. */
export interface Figure {
  /** In the name of its file. */
  readonly name: string;
  readonly caption: string;
  readonly spec: Spec;
  /** The same as text, for screen readers. */
  readonly text?: string;
}

export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A sentence of the report's own. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'advice'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'figure'; readonly figure: Figure }
  /** Figures that belong together, which a reader may fold. */
  | { readonly kind: 'group'; readonly title: string; readonly figures: readonly Figure[] };

/** All charts of the blocks, in their order. */
export function figuresIn(blocks: readonly Block[]): Figure[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'figure') return [block.figure];
    return block.kind === 'group' ? block.figures : [];
  });
}
