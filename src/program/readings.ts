/**
 * What the text for columns means: executions side by side and recordings read the same text, each in their own way. Its units
 * are told when it comes to be read in another way than before. Most programs end before it is read at all, so that what it means is
 * made when it is first needed.
 */
import type { ColumnLinkage } from '../compiler/linkage.ts';
import { recordDensity } from '../lanes/density/density.ts';
import { recordedLinkage } from '../lanes/density/linkage.ts';
import { recordedOperators } from '../lanes/density/operators.ts';
import { recordPath } from '../lanes/density/paths.ts';
import { holdsRecorded, recordedDomain, valuesAmong } from '../lanes/density/recorded.ts';
import { recorders } from '../lanes/density/recorders.ts';
import { scalarMath } from '../library/math.ts';
import { libraryRows } from '../library/rows.ts';
import type { Reading } from '../runtime/machine.ts';
import type { Extras } from './scope.ts';

export class Readings {
  private readonly units: (() => void)[] = [];
  private readonly made = new Map<Reading, ColumnLinkage>();
  private readonly defined = new Map<string, () => unknown>();
  private way: Reading | null = null;

  constructor(
    private readonly library: Readonly<Record<string, unknown>>,
    private readonly extras: Pick<Extras, 'columns'>,
  ) {
    recorders.current ??= {
      density: recordDensity,
      path: recordPath,
      holds: holdsRecorded,
      each: recordedDomain.each,
      among: valuesAmong,
    };
  }

  /** What the text means now. */
  get current(): ColumnLinkage | undefined {
    return this.way === null ? undefined : this.made.get(this.way);
  }

  /** Calls `read` whenever the text has come to mean something else, and now if it means anything. */
  onReading(read: () => void): void {
    this.units.push(read);
    if (this.way !== null) read();
  }

  /** Gives a name of the library another meaning, in either way. */
  define(name: string, get: () => unknown): void {
    this.defined.set(name, get);
    for (const linkage of this.made.values()) define(linkage, name, get);
  }

  /** From now on the text is read in this way; null, before the first reading, changes nothing. Gives the way in which it was read. */
  readAs(way: Reading | null): Reading | null {
    const before = this.way;
    if (way === null || way === before) return before;
    if (!this.made.has(way)) {
      const linkage = this.make(way);
      for (const [name, get] of this.defined) define(linkage, name, get);
      this.made.set(way, linkage);
    }
    this.way = way;
    for (const read of this.units) read();
    return before;
  }

  private make(way: Reading): ColumnLinkage {
    return way === 'recording'
      ? recordedLinkage(this.library, libraryRows, scalarMath)
      : this.extras.columns!.columnLinkage(this.library, libraryRows, scalarMath);
  }
}

/** Makes what the text means for every program, so that it is there when one reads it. */
export function prepareReadings({ columns, recording }: Pick<Extras, 'columns' | 'recording'>): void {
  if (recording) recordedOperators(scalarMath);
  columns?.columnOperators(scalarMath);
}

const define = ({ library }: ColumnLinkage, name: string, get: () => unknown): unknown =>
  Object.defineProperty(library, name, { enumerable: true, configurable: true, get });
