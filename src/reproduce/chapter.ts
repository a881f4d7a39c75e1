/** What the report says of one experiment. */
import type { TopLevelSpec } from 'vega-lite';

/** A figure, as a Vega-Lite specification. */
export interface Figure {
  /** Of its file, without ending. */
  readonly name: string;
  readonly caption: string;
  readonly spec: TopLevelSpec;
}

/** Also written as a CSV file of that name. */
export interface Table {
  readonly name: string;
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Long tables are only written to their file. */
  readonly fileOnly?: boolean;
}

/** Something the paper found, and whether it was found again. */
export interface Claim {
  readonly claim: string;
  /** The paper's figures. */
  readonly paper: string;
  readonly waymark: string;
  /** What decides. */
  readonly test: string;
  /** Undefined if it cannot be decided with the data at hand. */
  readonly met: boolean | undefined;
}

export interface Chapter {
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  readonly claims: readonly Claim[];
  /** Paragraphs about what was found. */
  readonly remarks: readonly string[];
}
