/**
 * Calls of functions that know nothing of values which stand for others: JavaScript's own, lodash's, those of packages. They
 * would treat a node, a column or a recorded number as some object. So texts in which values may stand for others write every
 * such call as a call of `$L` or `$C` (`compiler/emit/operated-calls.ts`), and replace a function that is named as a value
 * (`xs.map(Boolean)`) by a wrapper. What happens then is written here once, over the interface in `domain.ts`, which graphs,
 * columns and recordings implement.
 *
 * - A table (`host-rules.ts`) says which functions only move values (`slice`, `_.zip`), decide by what a callback answers
 *   (`filter`), put in order, or compare. These are given the values as they are; positions, keys and answers are looked at.
 * - Any other function is called with each one's own plain values, if no function is among its arguments; otherwise with the
 *   values on which all agree, and those that do not agree part.
 * - An object is the same object after the sides of a conditional were merged: `identity.ts` knows which objects a merged
 *   one, or a copy for one lane, was made from, and `===` asks there. Object literals in iterations are noted
 *   (`lanes/making.ts`), since each iteration makes one of its own.
 * - Sets and Maps look at their keys, and hand on what was given for them, so that gradients pass (`keyed-collections.ts`).
 * - Where a function calculates and gradients end there, the run says so once for each place (`lifting/lost-gradients.ts`),
 *   unless `lifting/numeric-rules.ts` says what it means in the graph.
 *
 * `test/lanes/host/` holds some 1,200 expressions and statements to what Node computes, in every way of running. A new host
 * function is a row there; where it should stay side by side, a word in the table of rules.
 */
import { LODASH_COMPARISONS, MUTATORS } from '../compiler/analyse/hosts.ts';
import type { HostLinkage } from '../compiler/linkage.ts';
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { ofProgram } from '../runtime/throwing.ts';
import { isRecord } from '../runtime/values.ts';
import { type Domain, type Fn, settle } from './domain.ts';
import { flattened } from './flattening.ts';
import { applied, constructed, functionAt } from './host-applied.ts';
import {
  agreedCarriers,
  holdsFunction,
  holdsMore,
  isContainer,
  isDifferentCarrier,
  isFit,
  isPairs,
  isPicked,
  iterated,
  PASSING_ON,
  remembers,
  spreadable,
} from './host-arguments.ts';
import { isBuiltIn, isHostFunction, lodashNameOf } from './host-functions.ts';
import { isLodash, lodashRuleOf, lookedAt, type Rule, ruleOf } from './host-rules.ts';
import { specialOf } from './host-specials.ts';
import { Copies, keepOrigin, originOf } from './identity.ts';
import { notIdentity } from './identity-blind.ts';
import { GivenMap, GivenSet, GivenWeakMap } from './keyed-collections.ts';
import { lodashCallOf } from './lodash-calls.ts';
import { copied, refill } from './parts.ts';

/** A host function, and how it is called. */
interface Callee {
  readonly fn: Fn;
  /** Its name, if it is lodash's. */
  readonly lodashName?: string;
  /** Whether it may call functions of the program, and so must not be called once for each. */
  readonly callsBack?: boolean;
}

/**
 * A signal, which host code may have caught, what a function of the program threw last, and a result through which a gradient would
 * have passed.
 */
interface Met {
  signal?: unknown;
  thrown?: unknown;
  carrier?: unknown;
}

type Names = Readonly<Record<PropertyKey, unknown>>;

export class HostCalls {
  /** The wrappers that programs are given, by host function. */
  private readonly known = new WeakMap<object, Fn>();
  private readonly fit = new WeakSet<object>();
  /** What functions of the program have met that host code is calling now. */
  private met: Met | null = null;
  /** Objects whose functions know of the domain: the library, imported as a whole. */
  readonly namespaces = new WeakSet<object>();

  constructor(readonly domain: Domain) {}

  /** A function that the program names or calls; of a host function, its wrapper. */
  readonly called = (value: unknown): unknown => {
    if (typeof value !== 'function' || !isHostFunction(value)) return value;
    const lodash = lodashNameOf(value);
    return this.fitted({ fn: value as Fn, lodashName: lodash?.name }, lodash?.owner);
  };

  /** `object.key` of a host object, as a value. */
  readonly hostField = (object: unknown, key: string): unknown => {
    const value = (object as Names)[key];
    return typeof value === 'function' ? this.fitted(calleeOf(object, key, value as Fn), object) : value;
  };

  /** `object.key` of a host object, which is going to be called. */
  readonly hostMethod = (object: unknown, key: unknown): Fn => {
    const fn = functionAt(object, key);
    if (object === globalThis.console && this.domain.isShared())
      throw new OneByOne('output', 'the program writes to the console');
    const callee = calleeOf(object, key, fn);
    return (...args) => this.call(callee, object, args);
  };

  /** What compiled programs use of it. */
  get linkage(): HostLinkage {
    const { called, hostField, hostMethod, methodOf, construct } = this;
    return { called, hostField, hostMethod, method: methodOf, construct };
  }

  /** Calls a function of the library, which has no effects and compares by contents, and knows nothing of the domain. */
  pure(fn: Fn, self?: unknown): Fn {
    notIdentity(fn);
    return (...args) => this.call({ fn }, self, args);
  }

  /** A method of an object that is not the domain's, nor the library's. */
  private method(object: unknown, key: unknown): Fn {
    const fn = functionAt(object, key);
    // `f.call`, `f.apply` and `f.bind` are calls of f.
    if (typeof object === 'function' && (Function.prototype as unknown as Names)[key as PropertyKey] === fn) {
      return (...args) => fn.apply(this.called(object), args.map(this.opened)) as unknown;
    }
    if (this.fit.has(fn)) return (...args) => fn.apply(object, args);
    // Functions in the program's own objects and lists are mostly its own.
    const isOwn = Array.isArray(object) ? Object.hasOwn(object, key as PropertyKey) : isRecord(object);
    if (isOwn && !isHostFunction(fn)) return (...args) => fn.apply(object, args);
    // These look at keys themselves.
    if (object instanceof GivenSet || object instanceof GivenMap || object instanceof GivenWeakMap) {
      return (...args) => fn.apply(object, args.map(this.called));
    }
    return (...args) => this.call(calleeOf(object, key, fn), object, args);
  }

  /** A method of whatever object; its name is looked at. */
  readonly methodOf = (object: unknown, given: unknown): Fn => {
    const { domain } = this;
    const key = (domain.isMine(given) ? domain.look(given) : given) as PropertyKey;
    if (typeof object === 'object' && object !== null && this.namespaces.has(object)) return functionAt(object, key);
    const own = domain.ownMethod?.(object, key);
    return own ?? (domain.isMine(object) ? this.methodOfMine(object, key) : this.method(object, key));
  };

  /** A method of a value that stands for others. */
  private methodOfMine(object: unknown, key: PropertyKey): Fn {
    const { domain } = this;
    if (key === 'valueOf' && domain.kindOf(object) === 'number') return () => object;
    if (MUTATORS.has(String(key)) && isPicked(domain, object)) return this.method(domain.look(object), key);
    const fn = domain.kindOf(object) === 'list' ? (Array.prototype as unknown as Names)[key] : undefined;
    if (typeof fn === 'function' && ruleOf(fn as Fn) !== undefined) {
      return (...args) => this.call({ fn: fn as Fn }, object, args);
    }
    return (...args) => {
      if (args.some((argument) => typeof argument === 'function')) {
        return this.method(domain.look(object), key)(...args);
      }
      return domain.each((self, ...given) => applied(functionAt(self, key), self, given), [object, ...args]);
    };
  }

  /** `new`. */
  readonly construct = (given: unknown, ...all: unknown[]): unknown => {
    const { domain } = this;
    const callee = originOf(given);
    const args = domain.isActive() && isBuiltIn(callee as object) ? all.map((one) => iterated(domain, one)) : all;
    const own = callee as new (...args: unknown[]) => unknown;
    const collection = domain.isDifferentiable ? this.collection(callee, args) : undefined;
    if (collection !== undefined) return collection;
    if (!domain.isActive() || !args.some((argument) => domain.holds(argument))) return constructed(own, args);
    if (callee === Array) return specialOf(Array as never)!(domain, args, Array as never);
    if (callee === Map && isPairs(domain, args[0])) {
      return new Map(args[0].map(([key, value]) => [this.keyed(key), value]));
    }
    if (callee === Set && Array.isArray(args[0]) && !domain.isMine(args[0])) {
      const keys = args[0].map((key) => originOf(key));
      // A collection compares objects by identity, which copies made for each one would lose.
      if (!keys.every((key) => domain.isMine(key))) return new Set(keys.map(this.keyed));
    }
    return domain.each((...given) => constructed(own, given), args, own as never);
  };

  /** A Set or Map through which gradients pass. */
  private collection(callee: unknown, [given]: readonly unknown[]): unknown {
    const list = given instanceof Set || given instanceof Map ? [...given] : (given ?? []);
    if (!Array.isArray(list) || this.domain.isMine(list)) return undefined;
    const items: readonly unknown[] = list;
    if ((callee === Map || callee === WeakMap) && isPairs(this.domain, items)) {
      return new (callee === Map ? GivenMap : GivenWeakMap)(this.keyed, items);
    }
    if (callee !== Set) return undefined;
    // Where no gradient passes, each one gets a set of its own: then they part less often.
    const isNumeric = items.length > 0 && items.every((item) => this.domain.isMine(originOf(item)));
    return isNumeric && !this.domain.carries?.(items) ? undefined : new GivenSet(this.keyed, items);
  }

  /** Functions whose results are looked at, for code that knows nothing of the domain; other values as they are. */
  readonly answering = (argument: unknown): unknown => {
    if (typeof argument !== 'function' || this.domain.isMine(argument)) return argument;
    const { look } = this;
    const fn = this.called(argument) as Fn;
    return function (this: unknown, ...given: unknown[]): unknown {
      return look(fn.apply(this, given));
    };
  };

  /** The key of a value in a Map or Set: an object itself, or the value of a number. */
  private readonly keyed = (given: unknown): unknown => {
    const key = originOf(given);
    // The contents of an object do not belong to its key, and stay as they are.
    return this.domain.isMine(key) ? originOf(this.domain.look(key)) : key;
  };

  readonly look = (value: unknown): unknown => settle(this.domain, value);

  /** The wrapper that programs are given for a host function. */
  private fitted(callee: Callee, owner?: unknown): Fn {
    const { fn } = callee;
    if (this.fit.has(fn)) return fn;
    let made = this.known.get(fn);
    if (made === undefined) {
      made = new Proxy(fn, {
        apply: (_fn, self, args) => this.call(callee, self === undefined ? owner : self, args),
        construct: (_fn, args) => this.construct(fn, ...args) as object,
      });
      this.known.set(fn, keepOrigin(made, fn));
      this.fit.add(made);
    }
    return made;
  }

  private call(callee: Callee, self: unknown, args: unknown[]): unknown {
    const [{ domain }, { fn, lodashName, callsBack }] = [this, callee];
    if (!domain.isActive()) return fn.apply(self, args);
    const meaning = domain.meaning?.(fn, args);
    if (meaning !== undefined) return meaning(...args);
    if (domain.isShared() && remembers(fn, self)) {
      throw new OneByOne('state', 'a regular expression with the flag g or y remembers how far it came');
    }
    const byName = lodashName === undefined ? undefined : lodashCallOf(lodashName);
    if (byName !== undefined) return byName(this, self as Names, args);
    const special = specialOf(fn, lodashName);
    if (special !== undefined) return special(domain, args, fn);
    const rule = lodashName === undefined ? ruleOf(fn) : lodashRuleOf(lodashName);
    const alters = lodashName !== undefined && MUTATORS.has(lodashName);
    if ((alters || rule?.changesFirst) && isPicked(domain, args[0])) args[0] = domain.look(args[0]);
    const hasFunctions =
      callsBack || (rule?.kind !== 'compares' && args.some((argument) => typeof argument === 'function'));
    const given = lodashName === undefined ? [self, ...args] : args;
    // What changes its owner is called once, and not for each value that is put there.
    const isOnce = hasFunctions || (lodashName === undefined && MUTATORS.has(fn.name) && !domain.isMine(self));
    if (rule !== undefined && isFit(domain, rule, args, hasFunctions) && this.handsOn(given, rule, isOnce)) {
      return this.byRule(fn, rule, self, args);
    }
    if (alters && this.isAlterable(args[0])) return this.altered(fn, self, args, lodashName);
    const callsDeep = rule === undefined && !alters && !PASSING_ON.has(fn) && args.some(this.holdsFunction);
    if (hasFunctions || callsDeep) return this.callingBack(fn, self, args, alters);
    if (![self, ...args].some((value) => domain.holds(value))) return this.made(applied(fn, self, args), false);
    const own = (one: unknown, ...given: unknown[]): unknown => {
      // Each one has its own copy of what is changed; the compiler has made sure that nothing else refers to it.
      if (isRecord(given[0]) && rule?.changesFirst) given[0] = { ...given[0] };
      else if (Array.isArray(given[0]) && alters) given[0] = [...given[0]];
      return this.made(applied(fn, one, given), false);
    };
    const calculates = rule?.kind === 'compares' ? undefined : fn;
    const agreed = calculates && agreedCarriers(domain, fn, [self, ...args]);
    if (agreed !== undefined) return this.call(callee, agreed[0], agreed.slice(1));
    if (domain.holds(self) || domain.mayChange?.(self)) return domain.each(own, [self, ...args], calculates);
    return domain.each((...given) => own(self, ...given), args, calculates);
  }

  /** Calls host code with functions of the program, wherever they are in the arguments; their results are looked at. */
  private callingBack(fn: Fn, self: unknown, args: readonly unknown[], alters: boolean): unknown {
    const { domain } = this;
    const copies = new Copies();
    // A function is the same wherever host code meets it.
    const plain = (given: unknown): unknown => {
      const value = domain.isMine(given) ? domain.look(given) : given;
      if (typeof value === 'function') return copies.of(value, value, () => this.watched(value as Fn));
      if (!this.holdsFunction(value)) return settle(domain, given, copies);
      return copies.of(value as object, originOf(value) as object, () => copied(value as object, plain));
    };
    const given = args.map(plain);
    const around = this.met;
    const met: Met = {};
    this.met = met;
    let result: unknown;
    try {
      result = fn.apply(settle(domain, self, copies), given);
    } catch (thrown) {
      throw thrown === met.thrown ? thrown : ofProgram(thrown);
    } finally {
      this.met = around;
    }
    if (met.signal !== undefined) throw met.signal;
    if (alters && given[0] !== args[0] && !domain.isMine(args[0]) && isContainer(args[0])) {
      refill(
        args[0],
        copied(given[0] as object, (part) => copies.restored(part)),
      );
    }
    // Says that the gradient ends here, if what it gives are numbers.
    if (met.carrier !== undefined) domain.each(() => result, [met.carrier], fn);
    return this.made(copies.restored(result), true);
  }

  /** A function of the program, for host code to call. */
  private watched(callback: Fn): Fn {
    const own = this.called(callback) as Fn;
    const calls = this;
    return function (this: unknown, ...given: unknown[]): unknown {
      try {
        const result = own.apply(this, given);
        if (calls.met !== null && calls.domain.carries?.(result)) calls.met.carrier ??= result;
        return calls.look(result);
      } catch (thrown) {
        if (calls.met !== null) {
          calls.met.thrown = thrown;
          if (isSignal(thrown)) calls.met.signal = thrown;
        }
        throw thrown;
      }
    };
  }

  /** Whether there is a function in a value, which host code that is given the value may call. */
  private readonly holdsFunction = (value: unknown): boolean => holdsFunction(this.domain, value);

  /** True of a list or object of an execution that runs alone: functions of lodash that change one may do so. */
  private isAlterable(value: unknown): boolean {
    return !this.domain.isShared() && !this.domain.isMine(value) && isContainer(value);
  }

  /** Calls a function of lodash that changes its first argument, in which something may stand for others. */
  private altered(fn: Fn, self: unknown, [first, ...given]: readonly unknown[], name: string): unknown {
    const others = LODASH_COMPARISONS.has(name) ? given : given.map(this.answering);
    const change: Fn = (own, ...given) => {
      const result = fn.call(self, own, ...given);
      if (own !== first) refill(first as object, own as object);
      return result === own ? first : result;
    };
    return this.made(this.domain.each(change, [first, ...others], fn), true);
  }

  /**
   * Whether values should be handed on as they are: where only whole lists differ, calling it with each one's own list does
   * as well.
   */
  private handsOn([subject, ...others]: readonly unknown[], rule: Rule, isOnce: boolean): boolean {
    const { domain } = this;
    const kind = domain.kindOf(subject);
    if (rule.takesNumbers) return kind !== 'other';
    // What stands for a number has fields of its own.
    const isNumber = (value: unknown): boolean => domain.kindOf(value) === 'number';
    if ((rule.readsFields && isNumber(others[0])) || (rule.changesFirst && others.some(isNumber))) return false;
    if (kind === 'number' || kind === 'other') return false;
    if (isOnce) return true;
    const areNumbers = others.every((value) => (domain.kindOf(value) ?? 'number') === 'number');
    if (kind === undefined && areNumbers) return true;
    if (isDifferentCarrier(domain, subject)) return true;
    const isWanted = (value: unknown): boolean =>
      isNumber(value) || holdsMore(domain, value) || isDifferentCarrier(domain, value);
    return domain.isDifferentiable && others.some(isWanted);
  }

  /** One list or object for all, made of a value that stands for one for each. They part where lengths or keys differ. */
  readonly opened = (value: unknown): unknown => {
    const kind = this.domain.kindOf(value);
    if (kind === undefined) return spreadable(value, this.look);
    if (kind === 'other') return this.look(value);
    return kind === 'list' ? [...(value as [])] : kind === 'record' ? { ...(value as object) } : value;
  };

  private byRule(fn: Fn, rule: Rule, self: unknown, args: unknown[]): unknown {
    const isKeyed = self instanceof Map || self instanceof Set;
    const given = lookedAt(rule, args, isKeyed ? this.keyed : this.look).map(this.opened);
    const handed = given.map((argument) => {
      if (isKeyed) return argument;
      return rule.kind === 'moves' ? this.called(argument) : this.answering(argument);
    });
    const [depth, opened] = [rule.flattens?.(given), this.opened(self)];
    const [owner, all] = depth === undefined ? [opened, handed] : flattened(this, [opened, ...handed], depth);
    return given.some((argument) => typeof argument === 'function') ? fn.apply(owner, all) : applied(fn, owner, all);
  }

  /** A function that host code returns is host code, too. */
  private made(value: unknown, callsBack: boolean): unknown {
    return typeof value === 'function' ? this.fitted({ fn: value as Fn, callsBack }) : value;
  }
}

const calleeOf = (object: unknown, key: unknown, fn: Fn): Callee =>
  isLodash(object) ? { fn, lodashName: String(key) } : { fn };
