/** The methods of `Infer`, and the options of `Optimize`, from the tables that check what programs give. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { algorithms, methodNamed } from '../../src/inference/methods.ts';
import type { Option } from '../../src/inference/options.ts';
import { show } from '../../src/library/show/value.ts';
import { estimators } from '../../src/optimize/estimators.ts';
import { optimizeOptions } from '../../src/optimize/optimize-options.ts';
import '../../src/optimize/register.ts';
import { updateRules } from '../../src/optimize/update-rules.ts';
import { type Declaration, sourceFile, top } from './declarations.ts';
import { allMembers } from './entries.ts';
import { code, proseOf, table } from './markdown.ts';

type Options = Readonly<Record<string, Option<unknown>>>;

const METHODS = [...Object.keys(algorithms), 'optimize'];

/** The declarations of all files of a folder. */
function declarationsIn(folder: string): Declaration[] {
  const files = readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((name) => [...sourceFile(join(top, folder, name)).declarations.values()]);
}

const inference = declarationsIn('src/inference');
const optimize = declarationsIn('src/optimize');

/** The constant that is the algorithm of this name: `Algorithm<…>` says so, or its file does. */
function algorithmOf(name: string): Declaration {
  const camel = name.replace(/^[A-Z]+/, (start) => start.toLowerCase());
  const names = [camel, `${camel}Method`, name];
  const found = [...inference, ...optimize].find(
    ({ kind, name: declared, file }) =>
      kind === 'value' && names.includes(declared) && file !== 'src/inference/entry-points.ts',
  );
  if (found === undefined) throw new Error(`no algorithm is declared for the method ${name}`);
  return found;
}

/** What the fields of the option types of a file mean; those of chains are shared, and those of objectives. */
function meaningOf(option: string, file: string): string {
  if (option === 'callbacks') return 'Functions that are told what happens.';
  const types = [...inference, ...optimize].filter(({ kind, name }) => kind === 'type' && name.endsWith('Options'));
  const own = types.filter((type) => type.file === file);
  const common = file.startsWith('src/optimize/') ? 'StepOptions' : 'ChainOptions';
  const shared = types.filter((type) => type.name === common);
  const members = [...own, ...shared].flatMap(allMembers);
  return members.find(({ name, doc }) => name === option && doc !== '')?.doc ?? '';
}

/** A variant reads to a name and options; programs write the name. */
function standardText({ standard }: Option<unknown>): string {
  if (standard === undefined) return 'must be given';
  const { value } = standard;
  if (value === undefined || typeof value === 'function') return '';
  const named = value as { name?: unknown; options?: unknown } | null;
  if (typeof named === 'object' && named !== null && 'options' in named) return code(show(named.name));
  return code(show(value));
}

const optionTable = (options: Options, file: string): string =>
  table(
    ['option', 'takes', 'default', 'meaning'],
    Object.entries(options).map(([name, option]) => [
      code(name),
      option.expected,
      standardText(option),
      meaningOf(name, file),
    ]),
  );

export function methodSections(): string[] {
  return METHODS.map((name) => {
    const declaration = algorithmOf(name);
    const options = methodNamed(name).options as Options;
    const head = name === 'automatic' ? "### No method, or `method: 'automatic'`" : `### \`method: '${name}'\``;
    const rest = name === 'optimize' ? optimizeMethodOptions(options) : optionTable(options, declaration.file);
    return [head, proseOf(declaration.doc).trim(), rest].join('\n\n');
  });
}

/** The method takes all that `Optimize` takes; only what else it takes is listed. */
function optimizeMethodOptions(options: Options): string {
  const own = Object.entries(options).filter(([name]) => !(name in optimizeOptions));
  return `${optionTable(Object.fromEntries(own), 'src/inference/sampling/forward.ts')}\n\nAnd everything that \`Optimize\` takes.`;
}

export function optimizeSections(): string[] {
  const rules = Object.entries(updateRules).map(([name, { options }]) => {
    const list = Object.entries(options as Options).map(([option, it]) => `\`${option}\` (${standardText(it)})`);
    return [code(name), list.join(', ')];
  });
  const objectives = Object.entries(estimators).map(([name, { options }]) => {
    const type = optimize.find(({ name: declared }) => declared.toLowerCase() === `${name.toLowerCase()}options`);
    if (type === undefined) throw new Error(`no options are declared for the estimator ${name}`);
    return `#### Estimator \`${name}\`\n\n${optionTable(options as Options, type.file)}`;
  });
  return [
    `### Options of Optimize\n\n${optionTable(optimizeOptions as Options, 'src/optimize/optimize-options.ts')}`,
    `#### Optimisers, with their options and defaults\n\n${table(['optMethod', 'options'], rules)}`,
    ...objectives,
  ];
}
