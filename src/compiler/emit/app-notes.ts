/** What modules of apps tell the runtime of their models and functions: see `analyse/app-models.ts`. */
import type { Node } from 'acorn';
import { type AppModels, type Calm, isCalm } from '../analyse/app-models.ts';
import type { Evenness } from '../analyse/even.ts';
import type { Binding } from '../analyse/scope.ts';
import type { SideEffect } from '../analyse/side-effects.ts';
import type { SourceText } from '../diagnostics.ts';
import { factBits } from '../fact-bits.ts';
import { bare, isFunction } from '../parse/syntax.ts';
import { siteNames } from '../site-names.ts';
import type { Emission, ModelNote } from './emission.ts';
import { isHostPart } from './program-names.ts';

/** What is true of all functions of a module. */
interface ModuleFacts {
  /** Whether what functions see stays the same within an inference. */
  readonly settled: boolean;
  /** Whether objects of the same contents cannot be told apart. */
  readonly comparesContents: boolean;
  /** How much alike the work of two executions is. */
  readonly evenness: Evenness;
}

const bitsOf = ({ stateless, resumable }: Calm, { settled, comparesContents, evenness }: ModuleFacts): number =>
  factBits({
    stateless,
    resumable,
    settled,
    comparesContents,
    evenOrRecursive: evenness !== 'uneven',
    even: evenness === 'even',
  });

const namesText = (names: ReadonlySet<Binding>, textOf: (binding: Binding) => string): string =>
  `() => [${[...names].map(textOf).join(', ')}]`;

export class AppNotes {
  readonly models: ReadonlyMap<Node, ModelNote>;
  private readonly found: AppModels;

  constructor(
    models: AppModels,
    private readonly source: SourceText,
    /** The name that messages give to places of the module. */
    private readonly file: string,
    private readonly facts: ModuleFacts,
    /** How the value of a variable is read. */
    private readonly textOf: (binding: Binding) => string,
  ) {
    this.found = models;
    const notes = new Map<Node, ModelNote>();
    for (const [node, known] of models.arguments()) notes.set(node, () => `, ${this.known(known)}`);
    this.models = notes;
  }

  /** What the module says of itself once all of it is written. */
  text(e: Emission): string {
    const places = e.sites
      .map(({ offset }) => this.source.lines.position(offset))
      .map(({ line, column }) => `${line}:${column}`);
    const [first] = e.sites;
    const names = siteNames(e.analysis.program, this.source.text, e.sites).join(' ');
    const said =
      first === undefined
        ? ''
        : `$.places(${JSON.stringify(this.file)}, ${first.number}, '${places.join(' ')}', ${JSON.stringify(names)});`;
    return `${said} $.calm(${this.calmFunctions(e)});`;
  }

  /** A list of the functions at top level that reach nothing which keeps executions from running as one. */
  private calmFunctions(e: Emission): string {
    const entries: string[] = [];
    for (const { emitted, import: from, writes } of e.analysis.unit.names.values()) {
      const value = from === undefined && writes.length === 1 && writes[0].value ? bare(writes[0].value) : undefined;
      if (value === undefined || !isFunction(value) || isHostPart(e, value)) continue;
      const known = this.found.functionAt(value);
      if (isCalm(known)) entries.push(`[() => ${emitted}, ${this.known(known)}]`);
    }
    return `[${entries.join(', ')}]`;
  }

  private known(known: Calm | SideEffect): string {
    if (isCalm(known)) return `${bitsOf(known, this.facts)}, ${namesText(known.names, this.textOf)}`;
    return JSON.stringify(`${known.reason} (${this.placeOf(known.offset)})`);
  }

  private placeOf(offset: number): string {
    const { line, column } = this.source.lines.position(offset);
    return `${this.file}:${line}:${column}`;
  }
}
