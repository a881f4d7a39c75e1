/**
 * The programs whose optimisation steps are timed say neither how many steps there are nor, if these are large, what
 * their data are: both stand in lines put before the program, the same for either system. The result is written to
 * `.scratch/bench/`, where it stays, to be run by hand.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.scratch/bench', import.meta.url));
const abstracts = fileURLToPath(new URL('../../shared/data/cocolab-abstracts.json', import.meta.url));

/** The path of a program, with so many steps if its steps are timed, as a system is to run it. */
export function prepare({ name, program, data, variables = {}, against }, steps, system) {
  const original = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
  if (steps === undefined) return original;
  mkdirSync(folder, { recursive: true });
  const way = against === 'straight' ? `-${system}` : '';
  const path = join(folder, `${name}${way}-${steps}.wppl`);
  const given = { steps, ...variables, ...(against === 'straight' && { straight: system === 'straight' }) };
  const lines = Object.entries(given).map(([variable, value]) => `var ${variable} = ${value};`);
  // As text to be parsed, since the systems' compilers need not be burdened with a large literal.
  if (data !== undefined) lines.push(`var data = JSON.parse(${JSON.stringify(JSON.stringify(sources[data]()))});`);
  writeFileSync(path, `${lines.join('\n')}\n${readFileSync(original, 'utf8')}`);
  return path;
}

/** By the name that a benchmark asks for. */
const sources = { corpus };

/** The abstracts if they are there, else made-up documents that are as many, and use as many words. */
function corpus() {
  if (!existsSync(abstracts)) return { vocabSize: 740, documents: madeUp(109, 740, 6094) };
  const { documents, numWords } = JSON.parse(readFileSync(abstracts, 'utf8'));
  return { vocabSize: numWords, documents };
}

/** Small words are frequent, as in a language; every document prefers a tenth of the vocabulary. */
function madeUp(count, vocabSize, tokens) {
  const documents = Array.from({ length: count }, () => []);
  let state = 1;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  for (let token = 0; token < tokens; token++) {
    const word = Math.floor(vocabSize * random() ** 2);
    const document = token % count;
    documents[document].push(random() < 0.5 ? word : ((document % 10) * 74 + Math.floor(word / 10)) % vocabSize);
  }
  return documents;
}
