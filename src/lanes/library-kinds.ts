/** What functions of the library do with what they are given, as texts need to know in which values are more than numbers. */

/** Functions that hand on what they are given, and what functions they are given return, without looking at it. */
export const HANDING_ON = [
  ...['map', 'map2', 'mapN', 'mapIndexed', 'mapObject', 'mapPairs', 'mapData', 'repeat', 'reduce', 'foldl', 'scan'],
  ...['forEach', 'append', 'cons', 'snoc', 'first', 'second', 'third', 'fourth', 'last', 'secondLast', 'rest', 'most'],
  ...['everyOther', 'zip', 'idF', 'constF', 'compose', 'apply', 'applyd', 'range', 'param', 'modelParam'],
];

/** Those among them that are told how often to do something. */
export const COUNTING: readonly string[] = ['repeat', 'range'];

/** Functions that put lists in order, or pick from them, by looking at what is in them. */
export const ORDERING: readonly string[] = [
  ...['sort', 'sortOn', '_sort', '_merge', 'maxWith', 'minWith', 'argMax', 'countBy', 'groupBy', 'correlation'],
];

/** Those that apply a network to something, and make no choices. */
export const EVALUATING: readonly string[] = ['nneval', 'nnEval'];

/** Functions that take a network, which is a function too, and what it is applied to. */
export const NETWORKS = ['nneval', 'nnEval', 'nnevalModel'];

/** Choices with drift kernels that depend on their parameters alone. */
export const DRIFTING: readonly string[] = ['gaussianDrift', 'uniformDrift'];

/** Functions that look at what a function they are given returns, and hand on the rest. */
export const ASKING = ['filter', 'find', 'all', 'any', 'partition', 'span'];

/** Pure functions that show something, or ask for more than values. */
export const NOT_PURE = new Set(['display', 'print', 'viz', 'vizPrint', 'show', 'loadData', 'loadQMRGraph', 'error']);
