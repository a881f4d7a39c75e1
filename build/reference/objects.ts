/** Objects whose fields are functions: `T`, `nn`, `viz`, `schedules`, and WebPPL's. */
import { resolve } from 'node:path';
import * as elementwise from '../../src/library/tensors/elementwise.ts';
import { T } from '../../src/library/tensors/operations.ts';
import { ad, dists, numeric, util } from '../../src/webppl.ts';
import { type Declaration, sourceFile, top } from './declarations.ts';
import { code, table } from './markdown.ts';

const at = (file: string) => sourceFile(resolve(top, file));

/** Functions of a file as rows of a table, called as fields of an object. */
function rows(object: string, declarations: readonly Declaration[], rename = new Map<string, string>()): string[][] {
  return declarations.map(({ name, signatures, doc }) => {
    const called = rename.get(name) ?? name;
    const text = signatures.length === 0 ? called : signatures[0].replace(name, called);
    return [code(`${object}.${text}`), doc];
  });
}

const exportsOf = (file: string): Declaration[] => {
  const { declarations, exported } = at(file);
  return [...exported].map((name) => declarations.get(name)!);
};

const listed = (names: readonly string[]): string => names.map(code).join(', ');

function tensorFunctions(): string[] {
  const functions = Object.entries(elementwise).filter(([name]) => !name.startsWith('are'));
  const unary = functions.filter(([, f]) => f.length === 1).map(([name]) => name);
  const binary = functions.filter(([, f]) => f.length === 2).map(([name]) => name);
  const files = ['entries', 'linear-algebra', 'axes'].map((file) => `src/library/tensors/${file}.ts`);
  const others = files.flatMap(exportsOf).filter(({ name }) => name in T);
  return [
    `Of each entry of a tensor: ${listed([...unary, 'isNaN', 'isFinite'])}.`,
    `Of a tensor and a number, or of two tensors entry by entry: ${listed(binary)}.`,
    table(['', 'meaning'], rows('T', others)),
  ];
}

/** Fields of an object that is written out; one that is only a name is declared in the same file. */
function written(name: string, file: string): string[] {
  const { declarations } = at(file);
  const fields = declarations.get(name)!.members.map(({ name: field, text, doc }) => {
    const target = declarations.get(field);
    const signature = text === field ? target?.signatures[0] : undefined;
    return [code(`${name}.${signature ?? field}`), doc || (target?.doc ?? '')];
  });
  return [table(['', 'meaning'], fields)];
}

const fieldsOf = (object: object): string[] => [
  `Fields: ${listed(Object.keys(object).filter((field) => !field.startsWith('_')))}.`,
];

/** What follows the description of an object. */
export function objectParts(name: string, { file }: Declaration): readonly string[] {
  switch (name) {
    case 'T':
      return tensorFunctions();
    case 'nn':
    case 'schedules':
      return written(name, file);
    case 'viz':
      return [
        table(
          ['', 'meaning'],
          rows(
            'viz',
            exportsOf(file).filter(({ kind, name }) => kind === 'function' && name !== 'vizPrint'),
          ),
        ),
      ];
    case 'ad':
      return fieldsOf(ad);
    case 'dists':
      return fieldsOf(dists);
    case 'numeric':
      return fieldsOf(numeric);
    case 'util':
      return fieldsOf(util);
    default:
      return [];
  }
}
