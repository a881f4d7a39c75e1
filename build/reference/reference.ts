/** The reference in `docs/reference/`, from the doc comments of everything that `import … from 'waymark'` offers. */
import { resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import { top } from './declarations.ts';
import { section } from './entries.ts';
import { familyOf, familySection, helperOf } from './families.ts';
import { firstSentence, table } from './markdown.ts';
import { methodSections, optimizeSections } from './methods.ts';
import { objectParts } from './objects.ts';
import { PAGES, type Page, pageOf } from './pages.ts';
import { type PublicName, publicNames } from './public-names.ts';

/** What `import … from 'waymark/webppl'` offers. */
const WEBPPL: Page = {
  name: 'webppl-names',
  title: 'Names of WebPPL',
  about:
    "What `import … from 'waymark/webppl'` offers: names that programs written for WebPPL use. New programs do not need them: " +
    'JavaScript has the same, or Waymark under a name of its own. `.wppl` programs have them in scope.',
  sources: ['webppl.ts'],
};

/** What `import … from 'waymark/algorithms'` offers. */
const ALGORITHMS: Page = {
  name: 'algorithms',
  title: 'Inference algorithms of your own',
  about:
    "What `import … from 'waymark/algorithms'` offers: a table of options, a handler that gives `sample` and `factor` their " +
    'meaning, and `Entry`, which executes a model under it. `addMethod` makes them a method of `Infer`.',
  sources: ['algorithms.ts'],
};

/** What `import … from 'waymark/program'` offers. */
const EMBEDDING: Page = {
  name: 'embedding',
  title: 'Running programs from JavaScript',
  about:
    "What `import … from 'waymark/program'` offers: `const { value, outputs } = await run(text, {seed: 1})` compiles and runs " +
    'the text of a program.',
  sources: ['program/index.ts'],
};

const MADE = '<!-- Made by `npm run docs` from the doc comments in src/. Change those. -->';

/** Lower-case helpers are described with their family. */
function isHelper(name: string, names: readonly PublicName[]): boolean {
  return names.some((other) => familyOf(other.name) !== undefined && helperOf(other.name) === name);
}

const inOrder = (a: PublicName, b: PublicName): number => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' });

function index(names: readonly PublicName[]): string {
  const used = new Map<string, number>();
  const anchor = (name: string): string => {
    const plain = name.toLowerCase();
    const before = used.get(plain) ?? 0;
    used.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  };
  return table(
    ['name', ''],
    names.map(({ name, declaration }) => [`[\`${name}\`](#${anchor(name)})`, firstSentence(declaration.doc)]),
  );
}

function pageText(page: Page, names: readonly PublicName[]): string {
  const [types, values] = [
    names.filter(({ declaration }) => declaration.kind === 'type'),
    names.filter(({ declaration }) => declaration.kind !== 'type'),
  ];
  const sectionOf = (entry: PublicName): string =>
    familyOf(entry.name) === undefined
      ? section(entry.name, entry.declaration, objectParts(entry.name, entry.declaration))
      : familySection(entry);
  return [
    MADE,
    `# ${page.title}`,
    page.about,
    index(values),
    ...values.map(sectionOf),
    ...(page.name === 'inference' ? ['## Methods of Infer', ...methodSections()] : []),
    ...(page.name === 'optimisation' ? ['## Options', ...optimizeSections()] : []),
    ...(types.length > 0 ? ['## Types', ...types.map(sectionOf)] : []),
  ].join('\n\n');
}

/** The text of each page, by its file name. */
export function reference(): Map<string, string> {
  const offeredBy = (file: string): PublicName[] => publicNames(resolve(top, file)).sort(inOrder);
  const all = offeredBy('src/index.ts');
  const names = all.filter(({ name }) => !isHelper(name, all));
  const pages = PAGES.map((page) => ({ page, names: names.filter((n) => pageOf(n.declaration.file) === page) }));
  pages.push({ page: WEBPPL, names: offeredBy('src/webppl.ts') });
  pages.push({ page: ALGORITHMS, names: offeredBy('src/algorithms.ts') });
  pages.push({ page: EMBEDDING, names: offeredBy('src/program/index.ts') });
  const overview = table(
    ['page', 'what is on it'],
    pages.map(({ page, names }) => [
      `[${page.title}](${page.name}.md)`,
      names
        .filter(({ declaration }) => declaration.kind !== 'type')
        .map(({ name }) => `\`${name}\``)
        .join(', '),
    ]),
  );
  const also = 'The `waymark` command is described in [Command line](command-line.md).';
  const intro =
    "Everything that `import … from 'waymark'` and `import … from 'waymark/webppl'` offer, and that `.wppl` programs have in scope.";
  const files = new Map([['README.md', [MADE, '# Reference', intro, overview, also].join('\n\n')]]);
  for (const { page, names } of pages) files.set(`${page.name}.md`, pageText(page, names));
  files.set('command-line.md', [MADE, ...commandLine()].join('\n\n'));
  for (const [name, text] of files) files.set(name, `${text.replace(/\n{3,}/g, '\n\n').trimEnd()}\n`);
  return files;
}
