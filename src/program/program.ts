/** A loaded program, which can be run as often as one likes. */
import { type Evenness, leastEven } from '../compiler/analyse/even.ts';
import { LineTable } from '../compiler/diagnostics.ts';
import type { Linkage } from '../compiler/linkage.ts';
import { contentsOf } from '../host/modules.ts';
import { resolve } from '../host/path.ts';
import { fingerprintOf } from '../host/system.ts';
import { machine, type Run, startRun } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import { chooseDevice } from '../tensor/devices.ts';
import { withHostRandom } from './host-random.ts';
import { linkageFor } from './linkage.ts';
import { isRaisedByText, type Located, locate } from './locate.ts';
import { Readings } from './readings.ts';
import { type Extras, libraryFor } from './scope.ts';
import { guideOfSite, type LoadedUnit, makeUnit, nameOfSite, placeOfSite, readFile, type Unit } from './unit.ts';

/** Frames kept of a stack trace: the program's own must be among them, below those of library and host. */
const STACK_TRACE_LIMIT = 100;

/** A loaded program, which can be run as often as one likes. */
export class Program {
  private readonly units: Map<string, Unit>;
  /** Texts given to `webpplEval`, compiled once each. */
  private readonly evaluated = new Map<string, Unit>();

  constructor(
    private readonly main: LoadedUnit,
    /** All units, in the order in which they run. */
    private readonly order: readonly LoadedUnit[],
    private readonly extras: Extras,
    private nextSite: number,
    /** Host modules that it imports, by their urls. */
    private readonly hosts: readonly string[] = [],
  ) {
    this.units = new Map(order.map(({ unit }) => [unit.url, unit]));
  }

  /** What errors call it. */
  get file(): string {
    return this.main.unit.file;
  }

  /** The program as `waymark export` writes it: units in the order in which they run, and which texts these have. */
  get parts(): {
    readonly units: readonly LoadedUnit[];
    readonly extras: Extras;
    readonly hosts: readonly string[];
    readonly nextSite: number;
  } {
    return { units: this.order, extras: this.extras, hosts: this.hosts, nextSite: this.nextSite };
  }

  /** Runs the program from the start and returns its value: the last expression, or the default export. */
  run(run: Run): unknown {
    const library = libraryFor(this.extras, resolve(this.file), run.args);
    const readings = new Readings(library, this.extras);
    const linkage = linkageFor(library, this.extras, readings);
    run.evaluate = (code) => this.evaluate(code, linkage);
    run.fingerprint = () => this.fingerprint();
    run.placeOf = (site) => placeOfSite(this.units.values(), site);
    run.guideOf = (site) => guideOfSite(this.units.values(), site);
    run.nameOf = (site) => nameOfSite(this.units.values(), site);
    run.here = (then) => this.here(then);
    run.isRaisedByText = (error) => isRaisedByText(error, this.units);
    startRun(run);
    // Of every run, though few compute much outside lifted text: the choice of the run before is not theirs.
    chooseDevice(run.engine ?? {});
    this.extras.lifting?.checkDevice(run.engine ?? {});
    machine.program = {
      hasColumnText: this.extras.columns !== undefined,
      hasRecordingText: this.extras.recording === true,
      sideEffect: this.sideEffect('sideEffect'),
      lasting: this.sideEffect('lasting'),
      readAs: (way) => readings.readAs(way),
      functions: linkage.functions,
      stateless: this.isStateless(),
      resumable: this.all((unit) => unit.compiled.resumable),
      looksOutside: !this.all((unit) => !unit.compiled.looksOutside),
      evenness: this.evenness(),
      settled: this.settled(),
      comparesContents: this.all((unit) => !unit.compiled.comparesIdentities),
    };
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = STACK_TRACE_LIMIT;
    try {
      return withHostRandom(run.seed, () => this.execute(linkage));
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Where in the program something that `run` threw comes from. */
  locate(thrown: unknown): Located {
    return locate(thrown, this.units, this.file);
  }

  private here(then = new Error()): string | undefined {
    const { file, line, column } = this.locate(then);
    return line === undefined ? undefined : `${file}:${line}:${column}`;
  }

  /** The same for programs of the same text, whose host modules are in files with the same contents. */
  private fingerprint(): string {
    const units = this.order.map(({ unit }) => `${unit.source.length} ${unit.source}`);
    return fingerprintOf([...units, ...this.hosts.map(contentsOf)]);
  }

  /** Host modules may keep any state. */
  private isStateless(): boolean {
    return this.all((unit) => unit.compiled.stateless);
  }

  /** Of host modules nothing is known. */
  private evenness(): Evenness {
    return this.all(() => true)
      ? leastEven([...this.units.values()].map(({ compiled }) => compiled.evenness))
      : 'uneven';
  }

  private settled(): 'never' | 'inference' | 'always' {
    if (!this.all((unit) => unit.compiled.settled !== 'never')) return 'never';
    return this.all((unit) => unit.compiled.settled === 'always') ? 'always' : 'inference';
  }

  private sideEffect(which: 'sideEffect' | 'lasting'): Reason | null {
    for (const { unit, imports } of this.order) {
      const { file, source, compiled } = unit;
      const sideEffect = compiled[which];
      if (sideEffect !== undefined) {
        const { reason, offset } = sideEffect;
        const { line, column } = new LineTable(source).position(offset);
        return new Reason('state', `${reason} (${file}:${line}:${column})`);
      }
      if (!imports.every(isLoadedUnit))
        return new Reason('state', 'imported modules that are not compiled may keep state');
    }
    return null;
  }

  private all(holds: (unit: Unit) => boolean): boolean {
    return this.order.every(({ unit, imports }) => holds(unit) && imports.every((imported) => isLoadedUnit(imported)));
  }

  private execute(linkage: Linkage): unknown {
    const exportsOf = new Map<LoadedUnit | object, object>();
    for (const loaded of this.order) exportsOf.set(loaded, {});
    let value: unknown;
    for (const loaded of this.order) {
      const exports = exportsOf.get(loaded) as { default?: unknown };
      const imports = loaded.imports.map((imported) => exportsOf.get(imported) ?? imported);
      const { unit } = loaded;
      const result = unit.execute(linkage, exports, imports);
      if (unit.language === 'wppl') exports.default = result;
      if (loaded === this.main) value = exports.default;
    }
    return value;
  }

  private evaluate(code: string, linkage: Linkage): unknown {
    let unit = this.evaluated.get(code);
    if (unit === undefined) {
      const lifted = this.extras.lifting !== undefined;
      // A program that evaluates text keeps state, and so never runs side by side.
      unit = makeUnit(readFile(code, 'webpplEval', 'wppl'), { firstSite: this.nextSite, lifted });
      this.nextSite = unit.compiled.nextSite;
      this.evaluated.set(code, unit);
      this.units.set(unit.url, unit);
    }
    return unit.execute(linkage, {}, []);
  }
}

/** What a unit imports that is no unit: a host module, or nothing at all where only types were imported. */
function isLoadedUnit(imported: LoadedUnit | object): boolean {
  return 'unit' in imported || Object.keys(imported).length === 0;
}
