/**
 * What the text for columns means: executions side by side and recordings read the same text, each in their own way. A
 * program whose words ask for both has one text, and its units are told when it is to be read in the other way.
 */
import type { ColumnLinkage } from '../compiler/linkage.ts';
import { recordedLinkage } from '../lanes/density/linkage.ts';
import { scalarMath } from '../library/math.ts';
import { libraryRows } from '../library/rows.ts';
import type { Extras } from './scope.ts';

export class Readings {
  private readonly units: (() => void)[] = [];
  private readonly sideBySide: ColumnLinkage | undefined;
  private recorded: ColumnLinkage | undefined;
  private recording = false;
  private readonly defined = new Map<string, () => unknown>();

  constructor(
    private readonly library: Readonly<Record<string, unknown>>,
    { columns, recording = false }: Extras,
  ) {
    this.sideBySide = columns?.columnLinkage(library, libraryRows, scalarMath);
    this.isSwitched = this.sideBySide !== undefined && recording;
    if (recording && !this.isSwitched) this.readAsRecording(true);
  }

  /** Whether the program is read in both ways. It is then as for executions side by side unless a recording is made. */
  readonly isSwitched: boolean;

  /** What the text means now. */
  get current(): ColumnLinkage | undefined {
    return this.recording ? this.recorded : this.sideBySide;
  }

  /** Calls `read` now, and whenever the text has come to mean something else. */
  onReading(read: () => void): void {
    this.units.push(read);
    read();
  }

  /** Gives a name of the library another meaning, in either way. */
  define(name: string, get: () => unknown): void {
    this.defined.set(name, get);
    for (const linkage of [this.sideBySide, this.recorded]) if (linkage !== undefined) define(linkage, name, get);
  }

  readAsRecording(recording: boolean): void {
    // Made when it is first needed: most programs that have both texts are too short to record anything.
    if (recording && this.recorded === undefined) {
      const made = recordedLinkage(this.library, libraryRows, scalarMath);
      for (const [name, get] of this.defined) define(made, name, get);
      this.recorded = made;
    }
    this.recording = recording;
    for (const read of this.units) read();
  }
}

const define = ({ library }: ColumnLinkage, name: string, get: () => unknown): unknown =>
  Object.defineProperty(library, name, { enumerable: true, configurable: true, get });
