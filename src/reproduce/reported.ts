/** What a report is made of, and the words for how a claim came out. */
import type { Chapter, Claim } from './chapter.ts';
import type { DataDescription, Experiment, Scale } from './experiment.ts';
import type { Suite } from './suites.ts';

/** A chapter with what it is about. */
export interface ReportedChapter extends Chapter {
  readonly experiment: Experiment;
  readonly data: DataDescription;
  readonly runs: number;
  /** Processor time is not known; this is how long its programs ran, added up. */
  readonly seconds: number;
}

export interface Report {
  readonly suite: Suite;
  readonly scale: Scale;
  /** The command that gives it. */
  readonly command: string;
  readonly chapters: readonly ReportedChapter[];
}

/** SVG texts by the paths of their files, `NAME/FIGURE.svg`. */
export type Drawings = ReadonlyMap<string, string>;

export const drawingPath = (experiment: Experiment, figure: string): string => `${experiment.name}/${figure}.svg`;

export const verdict = ({ met }: Claim): string => (met === undefined ? 'not decided' : met ? 'met' : 'not met');

/** `17 of 20 claims met, 1 not decided`. */
export function tally(claims: readonly Claim[]): string {
  const met = claims.filter((claim) => claim.met === true).length;
  const open = claims.filter((claim) => claim.met === undefined).length;
  return `${met} of ${claims.length} claims met${open === 0 ? '' : `, ${open} not decided`}`;
}
