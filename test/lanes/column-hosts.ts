/** What random programs make of values that differ with JavaScript's own operators, statements, methods and collections. */
import type { Dice } from './column-program.ts';

/** Objects among which programs choose. */
export const THINGS = `var left = {at: 1, xs: [1, 2]};
var right = {at: 2, xs: [3]};
var middle = {at: 3, xs: []};
var things = [left, right, middle];
var choose = function(yes) { if (yes) { return left; } return middle; };`;

/** Who has names for values of these kinds. */
interface Names {
  number(): string;
  truth(): string;
  thing(): string;
  list(): string;
}

const small = (number: string): string => `Math.tanh(${number})`;

export function hostNumber(dice: Dice, names: Names): string {
  const number = (): string => small(names.number());
  return dice.pick<() => string>([
    () => `things.indexOf(${names.thing()})`,
    () => `things.filter(t => t !== ${names.thing()}).length`,
    () => `things.findIndex(t => t === ${names.thing()})`,
    () => `remove(${names.thing()}, things).length`,
    () => `_.without(things, ${names.thing()}).length`,
    () => `new Map([[left, 1], [right, ${number()}]]).get(${names.thing()})`.replace(/^(.*)$/, '($1 ?? 0.5)'),
    () => `new Set([left, ${names.thing()}]).size`,
    () => `${names.thing()}.at`,
    () => `({...${names.thing()}, at: ${number()}}).at`,
    () => `({at: 4, ...(${names.truth()} && {at: ${number()}})}).at`,
    () => `[${number()}, ...${names.thing()}.xs].length`,
    () => `Math.max(...${names.list()}, ${number()})`,
    () => `[${number()}, ${names.truth()}].filter(Boolean).length`,
    () => `[${number()}, 2].map(Math.abs)[0]`,
    () => `Number(${names.truth()})`,
    () => `+(${number()})`,
    () => `_.sum([${number()}, ...${names.list()}])`,
    () => `(${names.list()}.find(t => t > ${number()}) ?? 0.4)`,
    () => `(${names.truth()} ? null : ${number()}) ?? 0.3`.replace(/^(.*)$/, '($1)'),
    () => `(({at, z = ${number()}}) => at - z)(${names.thing()})`,
    () => `range(${names.truth()} ? 1 : 2).length`,
    () => `${names.thing()}.xs.length`,
  ])();
}

export function hostTruth(dice: Dice, names: Names): string {
  const number = (): string => small(names.number());
  return dice.pick<() => string>([
    () => `(${names.thing()} ${dice.pick(['===', '!==', '==', '!='])} ${names.thing()})`,
    () => `things.slice(1).includes(${names.thing()})`,
    () => `new Set([left, right]).has(${names.thing()})`,
    () => `new Map([[${names.thing()}, 1]]).has(left)`,
    () => `things.some(t => t === ${names.thing()} && ${names.truth()})`,
    () => `[${number()} > 0].map(Boolean)[0]`,
    () => `[${number()}, 1].every(Number.isFinite)`,
    () => `Object.is(${names.thing()}, right)`,
    () => `_.isEqual(${names.thing()}, {at: 2, xs: [3]})`,
    () => `Boolean(${names.thing()}.xs.length)`,
  ])();
}

/** Statements that declare a number. */
export function hostStatement(dice: Dice, name: string, names: Names): string {
  const number = (): string => small(names.number());
  return dice.pick<() => string>([
    () => `let ${name} = ${number()} > 0 ? 1 : 0; ${name} ${dice.pick(['||=', '&&='])} ${number()};`,
    () => `let ${name} = ${names.truth()} ? null : ${number()}; ${name} ??= ${number()};`,
    () =>
      `let ${name} = 0; switch (true) { case ${names.truth()}: ${name} = ${number()}; break; default: ${name} = 2; }`,
    () =>
      `let ${name} = 0; switch (${names.thing()}) { case left: ${name} = ${number()}; break; case ${names.thing()}: ${name} = 2; }`,
    () =>
      `let ${name} = 0; switch (randomInteger(3)) { case 0: ${name} = ${number()}; case 1: ${name} += 1; break; default: ${name} = 5; }`,
    () =>
      `let ${name} = 0; try { if (${names.truth()}) { throw ${number()}; } ${name} = ${number()}; } catch (e) { ${name} = e / 2; }`,
    () =>
      `let ${name} = 0; try { ${name} = things[randomInteger(4)].at; } catch { ${name} = ${number()}; } finally { ${name} += 1; }`,
    () =>
      `let ${name} = 0; for (const q of ${names.list()}) { if (q > ${number()}) { ${dice.pick(['continue', 'break'])}; } ${name} += q; }`,
    () => `let ${name} = 0; for (let i = 0; i < ${names.thing()}.at; i++) { ${name} = ${name} / 2 + ${number()}; }`,
    () => `const {at: ${name}} = ${names.thing()};`,
    () => `const [${name} = ${number()}] = ${names.thing()}.xs;`,
    () =>
      `const ${name}q = {[Symbol.iterator]: () => ${names.list()}[Symbol.iterator]()}; const ${name} = sum([...${name}q]);`,
    () => `const ${name}q = {get p() { return ${number()}; }}; const ${name} = ${names.truth()} ? ${name}q.p : 0;`,
  ])();
}
