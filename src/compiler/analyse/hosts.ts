/** What the compiler knows of JavaScript's own library. */
import { words } from '../words.ts';

/** Host globals that programs may use by name. */
export const HOST_GLOBALS = words(`
  undefined NaN Infinity globalThis Math JSON Object Array Number String Boolean Date RegExp Map Set WeakMap WeakSet
  Symbol BigInt Intl Reflect parseInt parseFloat isNaN isFinite console Error TypeError RangeError SyntaxError
  ReferenceError EvalError URIError AggregateError ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array
  Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array encodeURIComponent
  decodeURIComponent encodeURI decodeURI structuredClone performance process Buffer URL URLSearchParams TextEncoder
  TextDecoder atob btoa
`);

/** Globals that would let a program wait, which no execution can. */
export const ASYNCHRONOUS_GLOBALS = words(`
  Promise setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask fetch
`);

/** Host functions that never call back into the program. */
export const HOST_PURE_FUNCTIONS = words(`
  parseInt parseFloat isNaN isFinite Number String Boolean BigInt Symbol encodeURIComponent decodeURIComponent encodeURI
  decodeURI structuredClone atob btoa Date RegExp Error TypeError RangeError
`);

/** Host objects whose methods never call back, but for those in `HOST_CALLBACKS`. */
export const HOST_PURE_OBJECTS = words('Math JSON Object Number String Array Date BigInt console performance Symbol');

/** Host methods that call a function they are given. */
export const CALLBACK_TAKERS = words(`
  map forEach filter reduce reduceRight some every find findIndex findLast findLastIndex flatMap sort toSorted from
  replace replaceAll groupBy fromAsync
`);

/** Methods of lodash for which a function is a value to compare or to hand on, not to call. */
export const LODASH_COMPARISONS = words(`
  isEqual eq includes indexOf lastIndexOf without isFunction isObject isNil isUndefined isNull pull fill constant identity
  castArray concat defaultTo set
`);

/** Methods of arrays, strings and numbers that call nothing back, with names that a program's own objects rarely have. */
export const HOST_METHODS = words(`
  push pop shift unshift slice splice concat join reverse indexOf lastIndexOf includes flat split trim substring charAt
  charCodeAt codePointAt startsWith endsWith padStart padEnd toUpperCase toLowerCase toFixed toPrecision toString
  hasOwnProperty
`);

/** Methods, of JavaScript and of lodash, that change the object they are called on or an argument, or remember something. */
export const MUTATORS = words(`
  push pop shift unshift splice reverse sort fill copyWithin set add delete clear append next
  assign assignIn assignWith extend extendWith defaults defaultsDeep merge mergeWith setWith unset update updateWith
  pull pullAll pullAllBy pullAllWith pullAt remove once memoize after before uniqueId
  defineProperty defineProperties setPrototypeOf __defineGetter__ __defineSetter__ setYear setTime setFullYear setMonth setDate
  setHours setMinutes setSeconds setMilliseconds setUTCFullYear setUTCMonth setUTCDate setUTCHours setUTCMinutes
  setUTCSeconds setUTCMilliseconds setInt8 setUint8 setInt16 setUint16 setInt32 setUint32 setFloat16 setFloat32
  setFloat64 setBigInt64 setBigUint64
`);

/** Those among them that change an array, and give nothing by which it could be known. */
export const OWN_MUTATORS = words('push pop shift unshift');

/** Those among them that put an array in order, and give it. */
export const ARRANGERS = words('sort reverse');

/** Those among them that change a Map or Set, of which some give it. */
export const KEYED_MUTATORS = words('set add delete clear');

/** Those among them, functions of `Object` or of lodash, that change the object they are given first, and return it. */
export const ASSIGNERS = words('assign assignIn extend defaults');

/** Objects whose methods change nothing that outlives an execution, whatever they are called. */
export const STATELESS_OBJECTS = words('Math JSON Number String');

/** Names through which a program can reach state that is not its own. */
export const STATEFUL_NAMES = words('process globalThis Reflect');

/** Fields of `process` that stay the same while a program runs, unless it changes them itself. */
export const PROCESS_FIELDS = words('argv env platform arch version versions pid execPath');

/** Names by which functions speak to the outside, or hear from it. */
export const OUTSIDE_NAMES = words('console Date performance');
