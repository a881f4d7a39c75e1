/**
 * Which functions of a program can make no random choice, whatever they are given. Calls of them need no address, which
 * spares deterministic code the whole cost of addressing. A function qualifies if everything it calls is known and
 * qualifies itself; one that calls a parameter or a method of an unknown object does not.
 *
 * A wrong guess is harmless: choices at equal addresses are told apart by the order in which they happen.
 */
import type { AnyNode, CallExpression, NewExpression, Node, TaggedTemplateExpression } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, isFunction } from '../parse/syntax.ts';
import { CALLBACK_TAKERS, HOST_METHODS, HOST_PURE_FUNCTIONS, HOST_PURE_OBJECTS } from './hosts.ts';
import { type Binding, outsideName } from './scope.ts';

export type Call = CallExpression | NewExpression | TaggedTemplateExpression;

export class AddressFree {
  private readonly functions: Set<Node>;

  constructor(
    /** The calls that each function makes, not counting those of functions inside it. */
    calls: ReadonlyMap<Node, readonly Call[]>,
    private readonly resolve: (identifier: Node) => Binding | undefined,
    private readonly library: LibraryNames,
  ) {
    // The largest set that is consistent: take all, then drop what calls outside it until nothing changes.
    this.functions = new Set(calls.keys());
    for (let changed = true; changed; ) {
      changed = false;
      for (const [owner, made] of calls) {
        if (!this.functions.has(owner) || made.every((call) => this.isFreeCall(call))) continue;
        this.functions.delete(owner);
        changed = true;
      }
    }
  }

  /** True if the call needs no address. */
  isFreeCall(call: Call): boolean {
    const callee = bare(call.type === 'TaggedTemplateExpression' ? call.tag : call.callee) as AnyNode;
    if (callee.type === 'MemberExpression') return this.isFreeMethod(callee, call);
    // A host constructor makes no choices.
    const host = call.type === 'NewExpression' && (callee.type !== 'Identifier' || this.resolve(callee) === undefined);
    return host || this.isFreeFunction(callee) || this.callsBackFree(call);
  }

  /** True of a call such as `map(f, xs)` with a function `f` that makes no choices. */
  callsBackFree(call: Call): boolean {
    if (call.type !== 'CallExpression') return false;
    const callee = bare(call.callee) as AnyNode;
    const name = callee.type === 'Identifier' ? outsideName(callee.name, this.resolve(callee)) : undefined;
    const place = name === undefined ? undefined : this.library.get(name)?.calls;
    if (place === undefined || place >= call.arguments.length) return false;
    if (call.arguments.slice(0, place).some((argument) => argument.type === 'SpreadElement')) return false;
    return this.isFreeFunction(call.arguments[place]);
  }

  /**
   * Whether a call that needs no address may leave another behind: functions of the program may call `map` and the like, which then are
   * nowhere.
   */
  mayMove(call: Call): boolean {
    const callee = bare(call.type === 'TaggedTemplateExpression' ? call.tag : call.callee) as AnyNode;
    return isFunction(callee) || (callee.type === 'Identifier' && this.resolve(callee)?.writes.length === 1);
  }

  /** True if the expression certainly is a function that makes no choices. */
  isFreeFunction(expression: Node): boolean {
    const node = bare(expression) as AnyNode;
    if (isFunction(node)) return this.functions.has(node);
    if (node.type !== 'Identifier') return false;
    const binding = this.resolve(node);
    const name = outsideName(node.name, binding);
    if (name !== undefined && this.library.get(name)?.pure) return true;
    if (binding === undefined) return HOST_PURE_FUNCTIONS.has(node.name);
    if (binding.import !== undefined) return false;
    const [write] = binding.writes;
    return binding.writes.length === 1 && write.value !== undefined && this.functions.has(bare(write.value));
  }

  private isFreeMethod(callee: Extract<AnyNode, { type: 'MemberExpression' }>, call: Call): boolean {
    if (callee.computed) return false;
    const method = (callee.property as { name: string }).name;
    if (HOST_METHODS.has(method)) return true;
    if (CALLBACK_TAKERS.has(method)) return false;
    const object = bare(callee.object) as AnyNode;
    if (object.type !== 'Identifier') return false;
    const binding = this.resolve(object);
    const name = outsideName(object.name, binding);
    if (name !== undefined && this.library.get(name)?.pure) return true;
    if (binding !== undefined) return false;
    // JSON calls back what comes after its first argument.
    const given = call.type === 'TaggedTemplateExpression' ? 0 : call.arguments.length;
    return HOST_PURE_OBJECTS.has(object.name) && !(object.name === 'JSON' && given > 1);
  }
}
