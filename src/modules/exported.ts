/**
 * The runtime of modules that `waymark export` writes: they hold it, a compiled program and a network, and need nothing else. The build makes one
 * text of this file and all that it imports.
 */
import '../amortize/register.ts';
import type { Compiled, Language } from '../compiler/compile.ts';
import type { UnitFunction } from '../compiler/linkage.ts';
import * as columns from '../lanes/columns/linkage.ts';
import { type Summary, summary } from '../library/summary.ts';
import { weightedValues } from '../library/weighted.ts';
import * as lifting from '../lifting/linkage.ts';
import { Program } from '../program/program.ts';
import type { LoadedUnit } from '../program/unit.ts';
import type { Distribution } from '../runtime/handler.ts';
import { speakingTo } from '../runtime/listeners.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { withSeed } from '../runtime/with-run.ts';

/** A file of the program, compiled. */
export interface ExportedUnit {
  readonly file: string;
  readonly language: Language;
  readonly facts: Pick<
    Compiled,
    'stateless' | 'resumable' | 'settled' | 'comparesIdentities' | 'sideEffect' | 'lasting'
  >;
  /** Which of the units it imports; −1 where nothing is left of an import. */
  readonly imports: readonly number[];
  /** Numbers and names of its call sites. */
  readonly names: readonly (readonly [number, string])[];
  readonly execute: UnitFunction;
}

export interface ExportedProgram {
  /** In the order in which they run. */
  readonly units: readonly ExportedUnit[];
  readonly texts: { readonly lifted: boolean; readonly columns: boolean; readonly recording: boolean };
  readonly nextSite: number;
  /** The network, in base 64. */
  readonly net: string;
}

/** What a posterior is in an exported module: plain data. */
export interface ExportedPosterior<T> {
  readonly samples: readonly T[];
  /** They add up to 1. */
  readonly weights: readonly number[];
  readonly summary: Summary;
  /** The effective sample size. */
  readonly ess: number;
  /** Above 0.7 the weights are not to be trusted; NaN where nothing can be told. */
  readonly khat: number;
  readonly logZ: number | undefined;
}

export interface ExportedOptions {
  samples?: number;
  method?: 'importance' | 'forward' | 'SMC' | 'MCMC';
  /** The same seed gives the same posterior. */
  seed?: number;
}

interface Net {
  posteriors(list: readonly unknown[], options: object): Distribution<unknown>[];
}

export interface Exported {
  posterior(data: unknown, options?: ExportedOptions): ExportedPosterior<unknown>;
  posteriors(list: readonly unknown[], options?: ExportedOptions): ExportedPosterior<unknown>[];
}

/** Runs the program, whose value loads a network for its model. */
export function start({ units, texts, nextSite, net: text }: ExportedProgram): Exported {
  const loaded = units.map(unitOf);
  loaded.forEach(({ imports }, i) => {
    for (const place of units[i].imports) imports.push(place === -1 ? {} : loaded[place]);
  });
  const extras = {
    ...(texts.lifted ? { lifting } : {}),
    ...(texts.columns ? { columns } : {}),
    recording: texts.recording,
  };
  const program = new Program(loaded[loaded.length - 1], loaded, extras, nextSite);
  const quiet = { output() {}, warn() {} };
  const run = { ...speakingTo(quiet), seed: 0, folder: '.', args: [], params: new ParameterTable() };
  const { load } = program.run(run) as { load(bytes: Uint8Array): Net };
  const net = load(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  const posteriors: Exported['posteriors'] = (list, { seed = randomSeed(), ...options } = {}) =>
    withSeed(seed, () => net.posteriors(list, options).map(plain));
  return { posterior: (data, options) => posteriors([data], options)[0], posteriors };
}

function unitOf({ file, language, facts, names, execute }: ExportedUnit): LoadedUnit {
  const compiled = { ...facts, sites: [], code: '', exports: [], exportsAll: false, importedNames: [] };
  return {
    unit: {
      url: file,
      file,
      language,
      source: '',
      compiled: compiled as unknown as Compiled,
      execute,
      siteNames: new Map(names),
    },
    imports: [],
  };
}

const randomSeed = (): number => Math.floor(Math.random() * 2 ** 32);

function plain(posterior: Distribution<unknown>): ExportedPosterior<unknown> {
  const { values, weights } = weightedValues(posterior)!;
  const { diagnostics, logZ } = posterior as { diagnostics?: { ess?: number; khat?: number }; logZ?: number };
  const { ess = values.length, khat = Number.NaN } = diagnostics ?? {};
  return { samples: values, weights: Array.from(weights), summary: summary(posterior), ess, khat, logZ };
}
