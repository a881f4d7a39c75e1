/**
 * What an expression may stand for, as far as the text of a program tells: variables, fields, sides of conditionals, arguments,
 * results and exports of other units are followed to the literals, functions and names of the library they come from.
 */
import type { AnyNode, CallExpression, Function as FunctionNode, Node, ObjectExpression } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction } from '../parse/syntax.ts';
import { exportedAs, type LinkedUnit } from './linked-units.ts';
import { type Binding, outsideName } from './scope.ts';

/** An expression that is followed no further, and the unit it is in. */
export interface Value {
  readonly node: AnyNode;
  readonly unit: LinkedUnit;
  /** The name of the library that it is, where another unit passes it on. */
  readonly library?: string;
}

/** The expressions that are known, and whether there may be others. */
export interface Values {
  readonly known: readonly Value[];
  readonly others: boolean;
}

const NONE: Values = { known: [], others: false };
const OTHERS: Values = { known: [], others: true };

/** Methods, of lodash and of `Object`, that give one object with the fields of all they are given. */
const JOINING_METHODS = new Set(['assign', 'assignIn', 'extend', 'merge', 'defaults']);

/** Expressions that hand on one of others. */
const ASSIGNING = new Set(['=', '||=', '&&=', '??=']);

/** Where a unit's functions and names are mentioned, found when that is first asked. */
class Mentions {
  readonly parents = new Map<Node, AnyNode>();
  readonly of = new Map<Binding, Node[]>();
  /** Functions by the scopes of their own. */
  readonly functions = new Map<unknown, AnyNode>();

  constructor({ analysis }: LinkedUnit) {
    for (const [node, scope] of analysis.functions) this.functions.set(scope, node as AnyNode);
    for (const { node, write } of analysis.references) {
      const binding = analysis.resolve(node);
      if (binding === undefined || write !== undefined) continue;
      const known = this.of.get(binding);
      if (known === undefined) this.of.set(binding, [node]);
      else known.push(node);
    }
    const waiting: Node[] = [...analysis.program.body];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.type === 'Literal') continue;
      const node = bare(next) as AnyNode;
      for (const child of children(node)) {
        this.parents.set(bare(child), node);
        waiting.push(child);
      }
    }
  }
}

export class PossibleValues {
  private readonly mentions = new Map<LinkedUnit, Mentions>();

  constructor(
    private readonly units: readonly LinkedUnit[],
    private readonly library: LibraryNames,
  ) {}

  /** What an expression of a unit may stand for. */
  of(given: Node, unit: LinkedUnit, seen = new Set<unknown>()): Values {
    const node = bare(given) as AnyNode;
    if (node.type === 'Literal') return { known: [{ node, unit }], others: false };
    if (seen.has(node)) return NONE;
    seen.add(node);
    switch (node.type) {
      case 'Identifier': {
        const binding = unit.analysis.resolve(node);
        const isOutside = outsideName(node.name, binding) !== undefined;
        return isOutside ? { known: [{ node, unit }], others: false } : this.behind(binding!, unit, node, seen);
      }
      case 'ConditionalExpression':
        return union([this.of(node.consequent, unit, seen), this.of(node.alternate, unit, seen)]);
      case 'LogicalExpression':
        return union([this.of(node.left, unit, seen), this.of(node.right, unit, seen)]);
      case 'AssignmentExpression':
        return ASSIGNING.has(node.operator) ? this.of(node.right, unit, seen) : OTHERS;
      case 'SequenceExpression':
        return this.of(node.expressions[node.expressions.length - 1], unit, seen);
      case 'MemberExpression':
        return this.member(node, unit, seen);
      case 'CallExpression':
        return this.result(node, unit, seen);
      default:
        return { known: [{ node, unit }], others: false };
    }
  }

  /** The name of the library that a value is; `w.Infer` where `w` is the library imported as a whole. */
  libraryName({ node, unit, library }: Value): string | undefined {
    if (library !== undefined) return library;
    if (node.type === 'Identifier') return outsideName(node.name, unit.analysis.resolve(node));
    if (node.type !== 'MemberExpression' || !isLibrary(node.object, unit)) return undefined;
    return keyOf(node.property, node.computed);
  }

  /** What a field of some values may be; `absent` if there may be none. */
  field(values: Values, name: string, seen = new Set<unknown>()): Values & { readonly absent: boolean } {
    const fields: Values[] = [];
    let absent = values.known.length === 0;
    for (const value of values.known) {
      const { node } = value;
      if (node.type === 'ObjectExpression') {
        const found = this.fieldOf(node, value.unit, name, seen);
        fields.push(found);
        absent ||= found.absent;
      } else if (node.type === 'CallExpression') {
        // An object with the fields of several.
        const parts = node.arguments.map((argument) => this.field(this.of(argument, value.unit, seen), name, seen));
        fields.push(...parts);
        absent ||= parts.every((part) => part.absent);
      } else absent = true;
    }
    return { ...union([...fields, values.others ? OTHERS : NONE]), absent };
  }

  private fieldOf(
    object: ObjectExpression,
    unit: LinkedUnit,
    name: string,
    seen: Set<unknown>,
  ): Values & { readonly absent: boolean } {
    const fields: Values[] = [];
    let absent = true;
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.field(this.of(property.argument, unit, seen), name, seen);
        fields.push(spread);
        absent &&= spread.absent;
        continue;
      }
      const key = keyOf(property.key, property.computed);
      if (key !== undefined && key !== name) continue;
      fields.push(key === undefined || property.kind !== 'init' ? OTHERS : this.of(property.value, unit, seen));
      absent &&= key === undefined;
    }
    return { ...union(fields), absent };
  }

  private behind(binding: Binding, unit: LinkedUnit, node: AnyNode, seen: Set<unknown>): Values {
    if (seen.has(binding)) return NONE;
    seen.add(binding);
    const from = binding.import;
    if (from !== undefined) {
      return this.exported(unit.imported(from.module!), from.name, { node, unit }, seen);
    }
    if (binding.kind === 'own name') return OTHERS;
    if (binding.kind === 'parameter') return this.argumentsFor(binding, unit, seen);
    // The variable of a loop over a list, which the loop itself sets.
    if (binding.writes.length === 0) return OTHERS;
    return union(
      binding.writes.map(({ operator, value }) =>
        value !== undefined && ASSIGNING.has(operator) ? this.of(value, unit, seen) : OTHERS,
      ),
    );
  }

  /** What a unit exports under a name that is mentioned in another. */
  private exported(target: LinkedUnit | undefined, name: string, mention: Value, seen: Set<unknown>): Values {
    const exported = target && exportedAs(target, name);
    if (exported === undefined) return OTHERS;
    if ('library' in exported) return { known: [{ ...mention, library: exported.library }], others: false };
    if ('binding' in exported) return this.behind(exported.binding, exported.unit, mention.node, seen);
    return this.of(exported.expression, exported.unit, seen);
  }

  private member(node: Extract<AnyNode, { type: 'MemberExpression' }>, unit: LinkedUnit, seen: Set<unknown>): Values {
    if (isLibrary(node.object, unit)) return { known: [{ node, unit }], others: false };
    const key = keyOf(node.property, node.computed);
    const object = bare(node.object) as AnyNode;
    const from = object.type === 'Identifier' ? unit.analysis.resolve(object)?.import : undefined;
    if (from?.name === '*') {
      return key === undefined ? OTHERS : this.exported(unit.imported(from.module!), key, { node, unit }, seen);
    }
    const objects = this.of(node.object, unit, seen);
    if (objects.known.every((value) => value.node.type === 'ObjectExpression') && key !== undefined) {
      return this.field(objects, key, seen);
    }
    return this.parts(objects, seen);
  }

  /** The items or fields of some values, whichever they are. */
  private parts(values: Values, seen: Set<unknown>): Values {
    return union([
      values.others ? OTHERS : NONE,
      ...values.known.flatMap(({ node, unit }) => {
        if (node.type === 'ArrayExpression') {
          return node.elements.map((item) => {
            if (item === null) return NONE;
            return item.type === 'SpreadElement'
              ? this.parts(this.of(item.argument, unit, seen), seen)
              : this.of(item, unit, seen);
          });
        }
        if (node.type !== 'ObjectExpression') return [OTHERS];
        return node.properties.map((property) =>
          property.type === 'SpreadElement' || property.kind !== 'init' ? OTHERS : this.of(property.value, unit, seen),
        );
      }),
    ]);
  }

  /** What a call gives: what functions of the program return; for functions that join the fields of objects, the call itself. */
  private result(node: CallExpression, unit: LinkedUnit, seen: Set<unknown>): Values {
    const callee = bare(node.callee) as AnyNode;
    const name = callee.type === 'MemberExpression' ? keyOf(callee.property, callee.computed) : undefined;
    const called = this.of(callee, unit, seen);
    const ofLibrary = called.known.length === 1 ? this.libraryName(called.known[0]) : undefined;
    const joins =
      name === undefined
        ? ofLibrary !== undefined && this.library.get(ofLibrary)?.gives === 'fields'
        : JOINING_METHODS.has(name);
    if (joins) return { known: [{ node, unit }], others: false };
    if (called.others || !called.known.every((value) => isFunction(value.node))) return OTHERS;
    return union(
      called.known.flatMap((fn) =>
        resultsOf(fn.node as FunctionNode & AnyNode).map((result) => this.of(result, fn.unit, seen)),
      ),
    );
  }

  /** What the function that a parameter belongs to may be called with. */
  private argumentsFor(parameter: Binding, unit: LinkedUnit, seen: Set<unknown>): Values {
    const mentions = this.mentionsIn(unit);
    const fn = mentions.functions.get(parameter.scope.home) as (FunctionNode & AnyNode) | undefined;
    if (fn === undefined) return OTHERS;
    const place = fn.params.findIndex(({ start, end }) => parameter.declaredAt >= start && parameter.declaredAt < end);
    const pattern = bare(fn.params[place]) as AnyNode;
    const given = this.argumentsAt(fn, place, unit, seen);
    if (pattern.type === 'Identifier') return given;
    if (pattern.type === 'AssignmentPattern' && pattern.left.type === 'Identifier') {
      return union([given, this.of(pattern.right, unit, seen)]);
    }
    if (pattern.type !== 'ObjectPattern') return OTHERS;
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || bare(property.value).start !== parameter.declaredAt) continue;
      const key = keyOf(property.key, property.computed);
      if (key !== undefined && property.value.type === 'Identifier') return this.field(given, key, seen);
    }
    return OTHERS;
  }

  private argumentsAt(fn: AnyNode, place: number, unit: LinkedUnit, seen: Set<unknown>): Values {
    const mentions = this.mentionsIn(unit);
    const parent = mentions.parents.get(fn);
    const named = nameOf(fn, parent);
    if (named === undefined) return this.givenIn(fn, parent, place, unit, seen);
    const binding = unit.analysis.resolve(named);
    if (binding === undefined || binding.writes.length !== 1) return OTHERS;
    return union(
      this.mentionsOf(binding, unit).map((mention) =>
        mention === undefined
          ? OTHERS
          : this.givenIn(
              mention.node,
              this.mentionsIn(mention.unit).parents.get(mention.node),
              place,
              mention.unit,
              seen,
            ),
      ),
    );
  }

  /** Whether all mentions of a variable are calls of it. */
  isOnlyCalled(binding: Binding, unit: LinkedUnit): boolean {
    return this.mentionsOf(binding, unit).every((mention) => {
      const parent = mention && this.mentionsIn(mention.unit).parents.get(mention.node);
      return parent?.type === 'CallExpression' && bare(parent.callee) === mention!.node;
    });
  }

  /** Where a variable is mentioned, in other units too; undefined where that cannot be told. */
  private mentionsOf(binding: Binding, unit: LinkedUnit): (Value | undefined)[] {
    const own = (one: Binding, at: LinkedUnit): Value[] =>
      (this.mentionsIn(at).of.get(one) ?? []).map((node) => ({ node: node as AnyNode, unit: at }));
    const found: (Value | undefined)[] = own(binding, unit);
    if (binding.scope.kind !== 'unit') return found;
    for (const other of this.units) {
      for (const imported of other.analysis.unit.names.values()) {
        const { module, name } = imported.import ?? {};
        const target = module === undefined ? undefined : other.imported(module);
        if (target === undefined) continue;
        if (name === '*') {
          if (target === unit) found.push(undefined);
          continue;
        }
        const exported = exportedAs(target, name!);
        if (exported !== undefined && 'binding' in exported && exported.binding === binding)
          found.push(...own(imported, other));
      }
    }
    return found;
  }

  /** What a function that is mentioned is given at a place: by a call of it, or by what goes through a list with it. */
  private givenIn(
    mention: Node,
    parent: AnyNode | undefined,
    place: number,
    unit: LinkedUnit,
    seen: Set<unknown>,
  ): Values {
    if (parent?.type !== 'CallExpression') return OTHERS;
    const given = parent.arguments;
    if (given.some(({ type }) => type === 'SpreadElement')) return OTHERS;
    if (bare(parent.callee) === mention) return given[place] === undefined ? NONE : this.of(given[place], unit, seen);
    const callee = bare(parent.callee) as AnyNode;
    const isMethod = callee.type === 'MemberExpression' && !isLibrary(callee.object, unit);
    const name = isMethod ? undefined : this.libraryName({ node: callee, unit });
    if (!isMethod && (name === undefined || this.library.get(name)?.calls === undefined)) return OTHERS;
    const lists = given.filter((argument) => bare(argument) !== mention);
    const owner = isMethod && !this.isHost(callee.object, unit) ? [callee.object] : [];
    const items = [...owner, ...lists].map((list) => this.parts(this.of(list, unit, seen), seen));
    return union(items);
  }

  /** True of lodash, and of host objects. */
  private isHost(object: Node, unit: LinkedUnit): boolean {
    const node = bare(object) as AnyNode;
    return node.type === 'Identifier' && outsideName(node.name, unit.analysis.resolve(node)) !== undefined;
  }

  private mentionsIn(unit: LinkedUnit): Mentions {
    let found = this.mentions.get(unit);
    if (found === undefined) {
      found = new Mentions(unit);
      this.mentions.set(unit, found);
    }
    return found;
  }
}

function union(all: readonly Values[]): Values {
  return { known: all.flatMap(({ known }) => known), others: all.some(({ others }) => others) };
}

/** The name by which a function is known, if it has one. */
function nameOf(fn: AnyNode, parent: AnyNode | undefined): Node | undefined {
  if (fn.type === 'FunctionDeclaration') return fn.id ?? undefined;
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id : undefined;
}

/** True of the library, imported as a whole. */
function isLibrary(object: Node, unit: LinkedUnit): boolean {
  const node = bare(object) as AnyNode;
  if (node.type !== 'Identifier') return false;
  const from = unit.analysis.resolve(node)?.import;
  return from !== undefined && from.module === undefined && from.name === '*';
}

/** The name of a field, if it is written down. */
export function keyOf(key: Node, computed: boolean): string | undefined {
  const node = bare(key) as AnyNode;
  if (node.type === 'Literal') return String(node.value);
  return !computed && node.type === 'Identifier' ? node.name : undefined;
}

/** The expressions that a function gives; in WebPPL also its last one. */
function resultsOf(fn: FunctionNode & AnyNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const found: Node[] = [];
  const last = fn.body.body.at(-1);
  if (last?.type === 'ExpressionStatement') found.push(last.expression);
  const waiting: Node[] = [...fn.body.body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isFunction(node) || node.type === 'Literal') continue;
    if (node.type === 'ReturnStatement') {
      const { argument } = node as { argument?: Node | null };
      if (argument) found.push(argument);
    } else waiting.push(...children(node));
  }
  return found;
}
