/**
 * Which texts the functions of a program need besides their plain one, judged by the names of the library that it uses and by the
 * options of inferences, as far as these are written down. Where a method is chosen while the program runs, all texts: one
 * without need costs some hundredths of a second, one that is missing a way of running.
 */
import type { AnyNode, CallExpression, Identifier, Node } from 'acorn';
import type { LibraryNames, MethodNames, Needs, Texts } from '../library-names.ts';
import { bare, children } from '../parse/syntax.ts';
import type { LinkedUnit } from './linked-units.ts';
import { keyOf, PossibleValues, type Value, type Values } from './possible-values.ts';
import { type Binding, outsideName } from './scope.ts';

const EVERYTHING: Texts = { lifted: true, columns: true, recording: true };
const LIFTED: Texts = { lifted: true, columns: false, recording: false };

/** The texts that a program of these units needs. */
export const neededTexts = (units: readonly LinkedUnit[], library: LibraryNames, methods: MethodNames): Texts =>
  needsOf(units, library, methods).texts;

/** What a program of these units needs. */
export function needsOf(units: readonly LinkedUnit[], library: LibraryNames, methods: MethodNames): Needs {
  const needed = new Needed(units, library, methods);
  try {
    for (const unit of units) needed.note(unit);
  } catch (thrown) {
    // Expressions that are deeper than the stack.
    if (!(thrown instanceof RangeError)) throw thrown;
    return { texts: EVERYTHING, counts: {} };
  }
  return needed;
}

class Needed implements Needs {
  texts: Texts = { lifted: false, columns: false, recording: false };
  readonly counts: Record<string, number> = {};
  private readonly values: PossibleValues;

  constructor(
    units: readonly LinkedUnit[],
    private readonly library: LibraryNames,
    private readonly methods: MethodNames,
  ) {
    this.values = new PossibleValues(units, library);
  }

  note(unit: LinkedUnit): void {
    const { references, resolve, program } = unit.analysis;
    /** Mentions of what executes a model, until a call of it is found. */
    const inferring = new Set<Node>();
    let usesLibrary = false;
    for (const { node, use } of references) {
      const binding = resolve(node);
      const name = use === 'write' ? undefined : this.nameBehind(node, binding, unit);
      if (name === undefined) continue;
      const isWhole = binding !== undefined && name === '*';
      const row = this.library.get(name);
      usesLibrary ||= isWhole || row !== undefined;
      if (row?.gradients) this.add(LIFTED);
      if (row?.infers !== undefined || isWhole) inferring.add(node);
    }
    if (!usesLibrary) return;
    const waiting: Node[] = [...program.body];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.type === 'Literal' || next.type === 'ImportDeclaration') continue;
      const node = bare(next) as AnyNode;
      this.noteNode(node, unit, inferring);
      for (const child of children(node)) waiting.push(child);
    }
    // It is called from elsewhere, with unknown arguments.
    for (const mention of inferring) this.noteMention(mention, unit);
  }

  private add({ lifted, columns, recording }: Texts): void {
    const { texts } = this;
    this.texts = {
      lifted: texts.lifted || lifted,
      columns: texts.columns || columns,
      recording: texts.recording || recording,
    };
  }

  private noteNode(node: AnyNode, unit: LinkedUnit, inferring: Set<Node>): void {
    switch (node.type) {
      case 'CallExpression':
        this.noteCall(node, unit, inferring);
        break;
      // Another name for it: its calls are looked at.
      case 'VariableDeclarator': {
        const binding = node.id.type === 'Identifier' ? unit.analysis.resolve(node.id) : undefined;
        const isNamed = binding?.writes.length === 1 && binding.startsAs === undefined;
        if (isNamed && node.init && this.values.isOnlyCalled(binding, unit)) inferring.delete(bare(node.init));
        break;
      }
      // `w.Infer` where `w` is the library imported as a whole, as a value; calls of it have been noted before.
      case 'MemberExpression': {
        const whole = bare(node.object);
        if (inferring.has(whole)) this.noteNameOfWhole(node, whole, unit, inferring);
        break;
      }
      case 'Property':
        this.noteOption(keyOf(node.key, node.computed), node.value, unit);
        break;
      case 'AssignmentExpression': {
        const target = bare(node.left) as AnyNode;
        if (target.type !== 'MemberExpression') break;
        const key = keyOf(target.property, target.computed);
        this.noteOption(key, node.right, unit);
        if (key === 'method') this.noteMethods(this.values.of(node.right, unit), { known: [], others: false });
        if (this.methods.kernelOptions.includes(key ?? '')) this.kernels(this.values.of(node.right, unit));
        break;
      }
    }
  }

  /** Options that ask for guides, wherever they are written. */
  private noteOption(key: string | undefined, value: Node, unit: LinkedUnit): void {
    const asking = key === undefined ? undefined : this.methods.guideOptions.get(key);
    if (asking === undefined) return;
    if (asking === null) this.add(LIFTED);
    else {
      const { known, others } = this.values.of(value, unit);
      if (others || known.some((one) => textOf(one) === asking)) this.add(LIFTED);
    }
  }

  private noteCall(call: CallExpression, unit: LinkedUnit, inferring: Set<Node>): void {
    const callee = bare(call.callee) as AnyNode;
    for (const value of this.values.of(callee, unit).known) {
      const name = this.values.libraryName(value);
      const row = name === undefined ? undefined : this.library.get(name);
      if (row?.gradients) this.add(LIFTED);
      if (row?.infers === undefined) continue;
      inferring.delete(callee.type === 'MemberExpression' ? bare(callee.object) : callee);
      this.noteInference(call, row.infers, unit);
    }
  }

  private noteNameOfWhole(
    node: Extract<AnyNode, { type: 'MemberExpression' }>,
    whole: Node,
    unit: LinkedUnit,
    inferring: Set<Node>,
  ): void {
    const name = this.values.libraryName({ node, unit });
    if (name === undefined) return;
    const row = this.library.get(name);
    if (row?.gradients) this.add(LIFTED);
    if (row?.infers === undefined) inferring.delete(whole);
  }

  /** The name of the library that an identifier stands for, if it is one: also where another unit passes it on. */
  private nameBehind(node: Identifier, binding: Binding | undefined, unit: LinkedUnit): string | undefined {
    // A variable of WebPPL that hides a name of the library, and is computed from it.
    if (typeof binding?.startsAs === 'string') return binding.startsAs;
    if (binding?.import?.module === undefined) return outsideName(node.name, binding);
    const [value] = this.values.of(node, unit).known;
    return value?.library;
  }

  private noteMention(mention: Node, unit: LinkedUnit): void {
    const name = this.nameBehind(mention as Identifier, unit.analysis.resolve(mention), unit);
    const method = name === undefined ? undefined : this.library.get(name)?.infers;
    if (method === undefined) this.add(EVERYTHING);
    else this.noteMethod(method, { known: [], others: true });
  }

  private noteInference(call: CallExpression, method: string, unit: LinkedUnit): void {
    if (call.arguments.some(({ type }) => type === 'SpreadElement')) {
      this.add(EVERYTHING);
      return;
    }
    const options = this.optionsOf(call, unit);
    if (method === 'any') this.noteMethods(this.values.field(options, 'method'), options);
    else this.noteMethod(method, options);
  }

  /** What the options of an inference may be: one argument that is no function. */
  private optionsOf({ arguments: given }: CallExpression, unit: LinkedUnit): Values {
    const all = given.slice(0, 2).map((argument) => this.values.of(argument, unit));
    const isOptions = ({ known, others }: Values): boolean =>
      !others && known.length > 0 && known.every(({ node }) => node.type === 'ObjectExpression');
    // Beside written options the other argument is the model, wherever it comes from.
    const written = all.find(isOptions);
    if (written !== undefined && all.length === 2) return written;
    const objects = all.map(({ known, others }) => ({
      known: known.filter(({ node }) => node.type === 'ObjectExpression' || node.type === 'CallExpression'),
      others,
    }));
    // A function that is known for one is the model.
    const isModel = ({ known, others }: Values): boolean => known.length > 0 && !others;
    const rest = all.length === 2 && isModel(all[0]) && objects[0].known.length === 0 ? [objects[1]] : objects;
    return { known: rest.flatMap(({ known }) => known), others: rest.some(({ others }) => others) };
  }

  private noteMethods(methods: Values & { readonly absent?: boolean }, options: Values): void {
    if (methods.others || options.others) {
      this.add(EVERYTHING);
      return;
    }
    if (methods.absent || (options.known.length === 0 && methods.known.length === 0)) {
      this.noteMethod(this.methods.usual, options);
    }
    for (const value of methods.known) {
      const isAbsent = this.values.libraryName(value) === 'undefined';
      const name = isAbsent ? this.methods.usual : textOf(value);
      if (name !== undefined) this.noteMethod(name, options);
      else this.add(EVERYTHING);
    }
  }

  private noteMethod(method: string, options: Values): void {
    const texts = this.methods.texts.get(method);
    if (texts === undefined) {
      // None of this name, or whichever the options name.
      if (options.others) this.add(EVERYTHING);
      return;
    }
    if (texts.columns) for (const option of this.methods.countOptions) this.noteCount(option, options);
    if (!this.methods.withKernels.has(method)) {
      this.add(texts);
      return;
    }
    const [kernel, ...others] = this.methods.kernelOptions.map((name) => this.values.field(options, name));
    for (const other of others) this.kernels(other);
    const followsGradients = this.kernels(kernel) && !kernel.absent;
    this.add(followsGradients ? { ...texts, recording: false } : texts);
  }

  private noteCount(option: string, options: Values): void {
    for (const { node } of this.values.field(options, option).known) {
      if (node.type !== 'Literal' || typeof node.value !== 'number') continue;
      this.counts[option] = Math.max(this.counts[option] ?? 0, node.value);
    }
  }

  /** Notes the kernels that an option names; true if all of them follow gradients. */
  private kernels({ known, others }: Values): boolean {
    const { gradientKernels } = this.methods;
    const areGradients = known.map((value) => {
      const names = kernelNames(value);
      const isGradient = names?.every((name) => gradientKernels.has(name)) ?? false;
      if (names === undefined || names.some((name) => gradientKernels.has(name))) this.add(LIFTED);
      return isGradient;
    });
    if (others) this.add(LIFTED);
    return !others && areGradients.length > 0 && areGradients.every(Boolean);
  }
}

/** The text that a value is, if it is written down. */
function textOf({ node }: Value): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0].value.cooked ?? undefined;
}

/** The kernels that an option names: by a name, or by the fields of an object. */
function kernelNames(value: Value): readonly string[] | undefined {
  const { node } = value;
  if (node.type !== 'ObjectExpression') {
    const text = textOf(value);
    return text === undefined ? undefined : [text];
  }
  const names = node.properties.map((property) =>
    property.type === 'Property' ? keyOf(property.key, property.computed) : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}
