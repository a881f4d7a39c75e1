/**
 * What emitted code may use of the runtime: it is handed an object of this type as `$`. The compiler writes these
 * names into programs, `src/program/` provides them, and neither imports the other's world.
 */
export interface SiteAddress {
  at(site: number): SiteAddress;
  index(i: number): SiteAddress;
}

/** Rounds of a loop that rejects, as a handler sees them that proposes for the program. */
interface Rounds {
  /** At the start of a round: gives its address, which is that of all. */
  round(address: SiteAddress): SiteAddress;
  /** Whether the loop is left with a round that the program accepts; else another begins. May differ where many run side by side. */
  accepts(): unknown;
}

export interface Linkage {
  /** Written before every addressed call, read at the start of every function: `$m`. */
  readonly machine: {
    address: SiteAddress;
    /** The address of a call that the runtime made itself, until the function called has noticed. */
    top: SiteAddress | null;
    /** Written before `condition` and its like: whether the function returns if `gaveUp` is then true. */
    returns: boolean;
    readonly gaveUp: boolean;
    /** Whether the runtime wants calls in return position handed over. */
    readonly hands: boolean;
    store: Record<string, unknown>;
    readonly lifted: boolean;
    /** Not null where executions run side by side. */
    readonly columns: object | null;
  };
  /** Gives the functions declared at top level, which see nothing of an execution; one that is not there yet throws. */
  readonly functions: (() => unknown)[];
  /** Names that programs use without declaring them; they may be inherited. */
  readonly library: Readonly<Record<string, unknown>>;
  /** The library as a module: all its names are its own. */
  namespace(library: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * The address of calls of library functions that call back nothing that makes choices. A function, because V8 would
   * take the assignment of a mere value for the name of a function literal before it.
   */
  nowhere(): SiteAddress;
  /** Spread into calls that have no argument to carry the address. */
  readonly none: readonly never[];

  /** `Math` with WebPPL's additions, whose functions take tensors. */
  readonly math: Readonly<Record<string, unknown>>;

  /** Hands a call in return position to the runtime. */
  tail(callee: (...args: never[]) => unknown, ...args: unknown[]): unknown;
  /** Returns a call of a function that calls this one in return position, or makes it and all that are returned after it. */
  bounce(callee: (...args: never[]) => unknown, ...args: unknown[]): unknown;
  rebound(callee: (...args: never[]) => unknown, ...args: unknown[]): unknown;
  /**
   * Marks a model, alone or among options, as a function of a program. Where it does nothing that does not follow from
   * the values of some variables around it, `text` names its text, `captured` gives these values, and `rebound`, in the text
   * for executions side by side, makes the same function with other values.
   */
  direct<M>(
    model: M,
    text?: string,
    captured?: () => readonly unknown[],
    rebound?: (...values: readonly unknown[]) => unknown,
  ): M;
  /** Calls a function that makes no choices and does what follows from its arguments; or says what it gave before. */
  lasting(fn: (...args: never[]) => unknown, ...args: unknown[]): unknown;
  /** The same where executions run side by side. */
  lastingAlone(fn: (...args: never[]) => unknown, ...args: unknown[]): unknown;
  /** Notes what a function was made from, like `direct`, and returns it. */
  made<F extends object>(fn: F, text: string, captured: () => readonly unknown[]): F;
  /** Told when the program compares two values, one of them no primitive, by what they are. */
  compared(a: unknown, b: unknown): void;
  /** Says that the model in an argument comes to none of the program's side effects (`analyse/models-apart.ts`), and returns it. */
  apart<M>(given: M, ...known: readonly unknown[]): M;
  /** Marks a callback that changes nothing a model can see, and returns it. */
  quiet(fn: unknown): unknown;

  /** Told now and then in the turns of a function that calls itself in return position. */
  turned(): void;
  /** At the start of a loop that rejects: decides whether a round is accepted; null if the program alone decides. */
  rejecting(): Rounds | null;

  /** True of what `catch` clauses must pass on. */
  isSignal(thrown: unknown): boolean;
  /** Before `finally`: what ends the execution, if that was thrown. */
  ending(thrown: unknown): { readonly signal: unknown; over(): void } | null;
  /** Passes on what the program throws, remembering where if it has no stack of its own. */
  thrown(value: unknown): unknown;
  /** What an object has under a key. A function that JavaScript itself calls, because of its key, answers plainly. */
  called(key: unknown, value: unknown): unknown;
  /** A function for host callbacks whose n-th call has the address `address.index(n)`; other values unchanged. */
  each(address: SiteAddress, given: unknown): unknown;
  /** `object[index]` where the plain read found nothing: an element of a tensor, or that nothing. */
  get(object: unknown, index: unknown): unknown;
  /** `distribution.samples`, of which `map` is going to read this field of each and nothing else. */
  sampleField(distribution: unknown, field: string): unknown;
  /** Makes the exports of a module, each read anew whenever another module looks at it. */
  exports(exports: object, getters: Readonly<Record<string, () => unknown>>): void;
  /** `export * from`. */
  exportAll(exports: object, from: object): void;

  /** There if the unit was compiled with a second text of its functions. */
  readonly lifted?: LiftedLinkage & HostLinkage;
  /** There if the unit was compiled with a text for executions side by side and recordings, once one of them has begun. */
  readonly columns?: ColumnLinkage;
  /** Calls `read` whenever `columns` has become another, and now if it is there: that text has a second meaning for recordings. */
  onReading(read: () => void): void;

  // Arithmetic on operands that are not both numbers.
  add(a: unknown, b: unknown): unknown;
  sub(a: unknown, b: unknown): unknown;
  mul(a: unknown, b: unknown): unknown;
  div(a: unknown, b: unknown): unknown;
  mod(a: unknown, b: unknown): unknown;
  pow(a: unknown, b: unknown): unknown;
  neg(a: unknown): unknown;
  inc(a: unknown): unknown;
  dec(a: unknown): unknown;
  /** The value that postfix `++` and `--` give: the operand as a number. */
  numeric(a: unknown): unknown;
}

/** What operators, conditions and library names mean in the second text of functions: see `emit/lifted.ts`. */
export interface LiftedLinkage {
  readonly library: Readonly<Record<string, unknown>>;
  readonly math: Readonly<Record<string, unknown>>;
  /** `Date` and `performance`. */
  readonly clocks: Readonly<Record<string, unknown>>;
  /** `object[index]`, where either may be lifted. */
  get(object: unknown, index: unknown): unknown;
  /** `object[index] = value` of a list that the function has made, where index and value may be lifted. */
  put(object: unknown, index: unknown, value: unknown): unknown;
  /** The value as ordinary JavaScript sees it. */
  plain(value: unknown): unknown;
  /** `typeof`, which takes a lifted number for a number. */
  typeOf(value: unknown): string;
  /** Called before the program changes a variable of an outer function, called in some execution, or an object. */
  writing(reason?: string, execution?: number): void;
  /** What is made of an array, object, Map or Set that a function makes, and changes itself. */
  own(made: unknown): unknown;
  /** Called before the function changes such objects. */
  changing(...objects: object[]): void;
  /** An object that may be changed under several names: see `analyse/roaming-objects.ts`. */
  roaming(made: unknown): unknown;
  /** An object that is about to be changed, perhaps by a method. */
  changed(object: unknown, method?: string): unknown;
  truth(condition: unknown): boolean;
  not(condition: unknown): unknown;
  /** A conditional whose sides may both be evaluated. */
  choose(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown;
  /** `&&` and `||`, where the right side may be evaluated in any case. */
  and(left: unknown, right: () => unknown): unknown;
  or(left: unknown, right: () => unknown): unknown;
  /** The same where it may only be if the left side does not decide. */
  andThen(left: unknown, right: () => unknown): unknown;
  orThen(left: unknown, right: () => unknown): unknown;
  /** The left side of `??`: nothing if it is nothing for all, which they must agree on. */
  there(value: unknown): unknown;
  /** `key in object`. */
  inside(key: unknown, object: unknown): unknown;
  instanceOf(value: unknown, kind: unknown): unknown;
  /** `object.name`, of a name under which what stands for a number has a field of its own. */
  field(object: unknown, name: string): unknown;
  /** What a pattern takes apart in which there are such names; `parts` are those inside of others (`emit/taken-apart.ts`). */
  apart(value: unknown, parts?: object): unknown;
  /** What `...` in an object, and `for (… in …)`, find the fields of. */
  fields(value: unknown): unknown;
  /** A conditional whose sides change variables, and whose value is wanted. */
  parting(
    condition: unknown,
    then: () => unknown,
    otherwise: () => unknown,
    read: () => unknown[],
    write: (values: unknown[]) => void,
  ): unknown;
  /** A loop that they may leave at different times: see `emit/parting-loops.ts`. */
  turns(
    test: () => unknown,
    turn: () => unknown,
    update: () => void,
    read: () => unknown[],
    write: (values: unknown[]) => void,
    isDue: boolean,
    /** How many turns were counted, where they are, and sets that. */
    counted?: () => unknown[],
    count?: (values: unknown[]) => void,
  ): void;
  /** `turns` for the items of what is gone through. */
  through(
    items: unknown,
    turn: (item: unknown) => unknown,
    read: () => unknown[],
    write: (values: unknown[]) => void,
    counted?: () => unknown[],
    count?: (values: unknown[]) => void,
  ): void;
  /** Called where the program catches something, which perhaps not all have thrown that run as one. */
  caught(thrown: unknown): void;
}

/** Calls of functions that know nothing of values which are more than numbers: see `emit/operated-calls.ts`. */
export interface HostLinkage {
  /** The value; a host function, ready to be called with whatever the program has. */
  called(value: unknown): unknown;
  /** A field of a host object, likewise. */
  hostField(object: unknown, key: string): unknown;
  /** A method of a host object. */
  hostMethod(object: unknown, key: unknown): unknown;
  /** A method of whatever object. */
  method(object: unknown, key: unknown): unknown;
  /** `new`. */
  construct(callee: unknown, ...args: unknown[]): unknown;
}

/** What the same mean in the text for executions side by side: see `emit/columns.ts`. */
export interface ColumnLinkage extends Omit<LiftedLinkage, 'changing' | 'put'>, HostLinkage {
  /** A conditional whose sides are run for those executions alone that take them. */
  branch(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown;
  /** The same where both sides call one function of the library, with arguments that may be evaluated in any case. */
  alternatives(
    condition: unknown,
    then: () => unknown,
    otherwise: () => unknown,
    fn: unknown,
    first: () => readonly unknown[],
    second: () => readonly unknown[],
  ): unknown;
  /** The same for sides whose values are not used. */
  either(condition: unknown, then: () => void, otherwise: () => void): void;
  /** At the start of a loop that rejects, whose rounds cannot be followed for many executions. */
  rejectsAlone(): void;
  /** What a function gives that calls itself to draw anew, if its rounds are followed: see `emit/tail-loops.ts`. */
  accepted(rounds: Rounds, address: SiteAddress, round: () => unknown): unknown;
  /** What such a round gives that is rejected. */
  readonly rejected: unknown;
  /** The value of a variable for executions that never read it: see `emit/loop-returns.ts`. */
  readonly nothing: unknown;
  /** An object that may be changed under several names: see `analyse/roaming-objects.ts`. */
  roaming(made: unknown): unknown;
  /** An object that is about to be changed, perhaps by a method. */
  changed(object: unknown, method?: string): unknown;
  /** What is written between brackets where such an object is changed. */
  key(given: unknown): unknown;
  /** `map.get(key) ?? otherwise`, or `object[key] || otherwise`, of such an object. */
  itemOr(object: unknown, key: unknown, operator: '??' | '||', otherwise: () => unknown): unknown;
  /** `list.length`. */
  lengthOf(list: unknown): unknown;
  /** `[...a, b]`, by a mark for each part. */
  spread(marks: string, ...parts: unknown[]): unknown;
  /** A function of `Math`, called with the items of a list. */
  ofItems(fn: (...args: unknown[]) => unknown, plain: (...args: unknown[]) => unknown, list: unknown): unknown;
  /** A template with something in it. */
  text(make: (...parts: unknown[]) => unknown, ...parts: unknown[]): unknown;
}

/** What the emitted text of one file evaluates to. It returns the value of a `.wppl` program. */
export type UnitFunction = ($: Linkage, exports: object, imports: readonly object[]) => unknown;
