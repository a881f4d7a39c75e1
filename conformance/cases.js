/**
 * The cases of WebPPL's own tests, read from the installed package. A case is a program and a check of its result:
 * {group, name, code, stochastic, check(result) → problem or undefined}. Cases that draw millions
 * of samples have `run(waymark)` instead of `code`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as compare from './compare.js';
import { samplerCases } from './samplers.js';
import { anything, folder, read, variablesOf } from './webppl.js';

const STOCHASTIC = 'tests/test-data/stochastic';
const DETERMINISTIC = 'tests/test-data/deterministic';

/** All cases, in upstream's order. */
export function allCases() {
  return [
    ...inferenceCases(),
    ...deterministicCases(),
    ...samplerCases(),
    ...scorerCases(),
    ...transformCases(),
    ...exampleCases(),
    ...errorCases(),
    ...placeCases(),
  ];
}

/** A check of the value of a program that ran. */
function ofValue(check) {
  return (result) => (result.ok ? check(result.value) : describeError(result.error));
}

function describeError({ message, line, column }) {
  return line === null ? message : `${message} (line ${line}, column ${column})`;
}

/** Model × method, with expected histograms, moments, evidence and most probable values. */
function inferenceCases() {
  const { tests } = variablesOf('tests/test-inference.js', ['tests']);
  return tests.flatMap(({ name: group, method = group, settings, models }) =>
    Object.entries(models).map(([model, own]) => {
      const args = { ...(own.args ?? settings.args), method };
      const expected = JSON.parse(read(`${STOCHASTIC}/expected/${model}.json`));
      return {
        group,
        name: model,
        code: `${read(`${STOCHASTIC}/models/${model}.wppl`)}\n;({dist: Infer(${JSON.stringify(args)}, model), store: globalStore})`,
        stochastic: true,
        check: ofValue(({ dist, store }) => {
          for (const [what, value] of Object.entries(expected)) {
            const tolerance = { tol: 0.0001, ...settings[what], ...own[what] };
            const problem =
              what === 'store'
                ? compare.equal('store', store, value)
                : compare.ofDistribution[what](dist, value, tolerance);
            if (problem !== undefined) return problem;
          }
          return undefined;
        }),
      };
    }),
  );
}

/** Programs of the library with exact results. */
function deterministicCases() {
  return readdirSync(join(folder, DETERMINISTIC, 'models')).map((file) => {
    const name = file.replace(/\.wppl$/, '');
    const code = read(`${DETERMINISTIC}/models/${file}`);
    const { result } = JSON.parse(read(`${DETERMINISTIC}/expected/${name}.json`));
    return {
      group: 'deterministic',
      name,
      code,
      check: ofValue((value) => compare.equal('value', value, result)),
    };
  });
}

/** Scores of distributions: the test functions are run with stand-ins that note what they ask and expect. */
function scorerCases() {
  const cases = [];
  let asked;
  class Binomial {
    constructor(params) {
      this.params = params;
    }
    score(value) {
      asked = `Binomial(${JSON.stringify(this.params)}).score(${value})`;
    }
  }
  const helpers = {
    testWithinTolerance(_test, _actual, expected, tolerance) {
      cases.push({
        group: 'scorers',
        name: asked,
        code: asked,
        check: ofValue((value) => {
          // WebPPL's form has no words for infinities; theirs and ours are compared as numbers.
          return compare.within('score', Number(compare.plain(value)), expected, tolerance);
        }),
      });
    },
  };
  const substitutes = { '../src/dists': { Binomial }, './helpers/helpers': helpers };
  const { exports } = variablesOf('tests/test-scorers.js', ['exports'], substitutes);
  const test = { expect() {}, done() {} };
  const runAll = (node) => {
    if (typeof node === 'function') node(test);
    else for (const inner of Object.values(node)) runAll(inner);
  };
  runAll(exports.binomial);
  return cases;
}

/** Snippets of the language. */
function transformCases() {
  const { tests, fooObj } = variablesOf('tests/test-transforms.js', ['tests', 'fooObj']);
  const prelude = [
    'var plus = function(x, y) { return x + y; };',
    'var minus = function(x, y) { return x - y; };',
    'var times = function(x, y) { return x * y; };',
    'var and = function(x, y) { return x && y; };',
    'var plusTwo = function(x) { return x + 2; };',
    `var fooObj = ${JSON.stringify(fooObj)};`,
  ].join(' ');
  return Object.values(tests)
    .flat()
    .map(({ name, code, expected }) => ({
      group: 'transforms',
      name,
      code: `${prelude}\n${code}`,
      check: ofValue((value) =>
        expected === undefined
          ? compare.equal('value', value, { undefined: true })
          : compare.equal('value', value, expected),
      ),
    }));
}

/** Example programs, whose value is a distribution. */
function exampleCases() {
  const { examples } = variablesOf('tests/test-examples.js', ['examples'], { '../src/dists': anything });
  return examples.map((name) => ({
    group: 'examples',
    name,
    code: read(`examples/${name}.wppl`),
    check: ofValue((value) => (typeof value?.dist === 'string' ? undefined : 'the value is not a distribution')),
  }));
}

/** What errors say: upstream's test functions are asked which program they run and which words they look for. */
function errorCases() {
  const { tests } = variablesOf('tests/test-error-handling.js', ['tests']);
  return tests.map((test, i) => {
    const source = test.toString();
    const code = JSON.parse(`"${/getError\('(.*?)', test\)/.exec(source)[1].replaceAll('"', '\\"')}"`);
    const words = /match\(\/(.*?)\/\)/.exec(source)[1];
    return {
      group: 'errors',
      name: `test${i + 1}`,
      code,
      check: (result) => {
        if (result.ok) return 'the program should fail';
        return result.error.message.includes(words) ? undefined : `message '${result.error.message}' lacks '${words}'`;
      },
    };
  });
}

/** The line an error is reported on: that of the innermost place in the program's own text. */
function placeCases() {
  const { testDefs } = variablesOf('tests/test-stack-trace.js', ['testDefs']);
  const seen = new Set();
  return testDefs
    .filter(({ code }) => !code.includes('stackTraceTestFns') && !seen.has(code) && seen.add(code))
    .flatMap(({ name, code, stack }) => {
      const own = stack.find(
        ({ line, file }) => typeof line === 'number' && (file ?? 'webppl:program') === 'webppl:program',
      );
      if (own === undefined) return [];
      return {
        group: 'places',
        name,
        code,
        check: (result) => {
          if (result.ok) return 'the program should fail';
          return compare.equal('line of the error', result.error.line, own.line);
        },
      };
    });
}
