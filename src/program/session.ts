/**
 * A program that is entered piece by piece: what one input defines, later ones see.
 *
 * **Inputs of a prompt** (`waymark repl`) are units of one `Session` (`program/session.ts`): what one exports, the next ones find in the
 * library. Functions of earlier inputs keep what they were made with, so that each input has all texts; what is known of the program
 * is what is known of all inputs so far.
 */
import { leastEven } from '../compiler/analyse/even.ts';
import { prepareParser } from '../compiler/compile.ts';
import { CompileError } from '../compiler/diagnostics.ts';
import { resolve } from '../host/path.ts';
import { Address } from '../runtime/address.ts';
import { machine, type ProgramFacts, type Run, startRun } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import { chooseDevice } from '../tensor/devices.ts';
import { withHostRandom } from './host-random.ts';
import { linkageFor } from './linkage.ts';
import { type Located, locate } from './locate.ts';
import { Readings } from './readings.ts';
import { type Extras, libraryFor, libraryNames, loadNamed } from './scope.ts';
import { guideOfSite, makeUnit, nameOfSite, placeOfSite, readFile, type Unit } from './unit.ts';

/** What free names ask for that may come in any input. */
const ANY: ReadonlySet<string> = new Set(['webpplEval', '_', 'assert']);

export class Session {
  /** The names that inputs have defined. */
  readonly names = new Set<string>();
  private readonly units = new Map<string, Unit>();
  private readonly library: Record<string, unknown>;
  private readonly linkage: ReturnType<typeof linkageFor>;
  private readonly readings: Readings;
  private nextSite = 1;
  private inputs = 0;

  private constructor(
    private readonly run: Run,
    extras: Extras,
    private readonly file: string,
  ) {
    this.library = libraryFor(extras, resolve(file), run.args) as Record<string, unknown>;
    this.readings = new Readings(this.library, extras);
    this.linkage = linkageFor(this.library, extras, this.readings);
    run.placeOf = (site) => placeOfSite(this.units.values(), site);
    run.guideOf = (site) => guideOfSite(this.units.values(), site);
    run.nameOf = (site) => nameOfSite(this.units.values(), site);
    run.evaluate = (code) => this.execute(this.unit(code));
    startRun(run);
    chooseDevice(run.engine ?? {});
    extras.lifting?.checkDevice(run.engine ?? {});
  }

  /** `file` is what errors call the inputs; files are relative to its folder. */
  static async start(run: Run, file: string): Promise<Session> {
    await prepareParser('wppl');
    const extras: Extras = {
      lifting: await import('../lifting/linkage.ts'),
      columns: await import('../lanes/columns/linkage.ts'),
      recording: true,
    };
    await loadNamed(ANY, true, extras);
    return new Session(run, extras, file);
  }

  /** Every name that an input can use. */
  get known(): string[] {
    return [...libraryNames.keys(), ...this.names];
  }

  /** What a name stands for now; undefined for those that stand for nothing yet. */
  valueOf(name: string): unknown {
    try {
      return this.library[name];
    } catch {
      return undefined;
    }
  }

  /** Runs an input: its value is that of its last expression. Throws what the program throws, or a `CompileError`. */
  evaluate(code: string): unknown {
    const unit = this.unit(code);
    machine.address = Address.root();
    // Whatever the input before was in the middle of.
    Object.assign(machine, { top: null, returns: false, gaveUp: false, hands: false, call: null });
    machine.program = this.facts();
    return withHostRandom(this.run.seed + this.inputs, () => this.execute(unit));
  }

  private facts(): ProgramFacts {
    const all = [...this.units.values()].map(({ compiled }) => compiled);
    const sideEffect = all.find((compiled) => compiled.sideEffect !== undefined)?.sideEffect;
    return {
      hasColumnText: true,
      hasRecordingText: true,
      sideEffect: sideEffect === undefined ? null : new Reason('state', sideEffect.reason),
      readAs: (way) => this.readings.readAs(way),
      functions: this.linkage.functions,
      stateless: all.every(({ stateless }) => stateless),
      resumable: all.every(({ resumable }) => resumable),
      evenness: leastEven(all.map(({ evenness }) => evenness)),
      // Between two inputs anything may be defined anew.
      settled: all.every(({ settled }) => settled !== 'never') ? 'inference' : 'never',
      comparesContents: all.every(({ comparesIdentities }) => !comparesIdentities),
    };
  }

  locate(thrown: unknown): Located {
    return locate(thrown, this.units, this.file);
  }

  private unit(code: string): Unit {
    const read = readFile(code, this.file, 'wppl', this.names);
    const unit = makeUnit(read, {
      firstSite: this.nextSite,
      exportDeclarations: true,
      ...{ lifted: true, columns: true },
    });
    this.inputs++;
    this.nextSite = unit.compiled.nextSite;
    this.units.set(unit.url, unit);
    return unit;
  }

  private execute(unit: Unit): unknown {
    const exports: Record<string, unknown> = {};
    // An input that fails halfway has still defined what came before.
    try {
      return unit.execute(this.linkage, exports, []);
    } finally {
      for (const name of Object.keys(exports)) this.define(name, () => exports[name]);
    }
  }

  /** Functions of earlier inputs keep what they were made with, as they do everywhere. */
  private define(name: string, get: () => unknown): void {
    this.names.add(name);
    const lifted = (this.linkage as { lifted?: { library: object } }).lifted?.library;
    for (const library of lifted === undefined ? [this.library] : [this.library, lifted]) {
      Object.defineProperty(library, name, { enumerable: true, configurable: true, get });
    }
    this.readings.define(name, get);
  }
}

/** Whether a text that cannot be compiled may be the beginning of one that can. */
export function isUnfinished(thrown: unknown): boolean {
  if (!(thrown instanceof CompileError)) return false;
  return thrown.offset >= thrown.source.trimEnd().length || /Unterminated (?:template|comment)/i.test(thrown.message);
}
