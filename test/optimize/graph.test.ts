import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

/** The example of appendix B, with a choice after it. */
const PROGRAM = `var data = [1, 6];
var model = function() {
  var a = sample(Bernoulli({p: 0.5}));
  mapData({data: data}, function(y) {
    var x = sample(Gaussian({mu: a ? 0 : 5, sigma: 1}));
    observe(Gaussian({mu: x, sigma: 0.5}), y);
  });
  return a;
};
`;

async function dumped(option: string, file: string, sequential: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  try {
    await runProgram(`${PROGRAM}Optimize(model, {estimator: {ELBO: {dumpGraph: ${option}}}})`, {
      folder,
      engine: { sequential },
    });
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([true, false])('the graph of the example of appendix B (one by one: %s)', async (sequential) => {
  expect(await dumped('true', 'deps.dot', sequential)).toBe(`digraph dependencies {
  n0 [label="root"];
  n1 [label="Bernoulli, program.wppl:3:11"];
  n2 [label="split"];
  n3 [label="Gaussian, program.wppl:5:13"];
  n4 [label="Gaussian observed, program.wppl:6:5"];
  n5 [label="Gaussian, program.wppl:5:13"];
  n6 [label="Gaussian observed, program.wppl:6:5"];
  n7 [label="join"];
  n0 -> n1;
  n1 -> n2;
  n2 -> n3;
  n3 -> n4;
  n2 -> n5;
  n5 -> n6;
  n4 -> n7;
  n6 -> n7;
}
`);
});

test('as Mermaid, if the file is called so', async () => {
  const text = await dumped("'graph.mmd'", 'graph.mmd', true);
  expect(text.split('\n').slice(0, 2)).toEqual(['flowchart TD', '  n0["root"]']);
  expect(text).toContain('  n1["Bernoulli, program.wppl:3:11"]');
  expect(text).toContain('  n6 --> n7');
});

test('explained guides', async () => {
  const { warnings } = await runProgram(
    `${PROGRAM.replace('sigma: 1})', "sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})}")}Optimize(model, {steps: 3})`,
    { engine: { explainGuides: true, sequential: true } },
  );
  expect(warnings).toHaveLength(1);
  expect(warnings[0].split('\n').map((line) => line.replace(/at [\d/*[\]]+:/, 'at …:'))).toEqual([
    'Guides of the first execution:',
    '  program.wppl:3:11 at …: Bernoulli is guided by an automatic Bernoulli (enumeration, since it has few values)',
    '  program.wppl:5:13 at …: Gaussian is guided by Gaussian (pathwise), 2 times',
  ]);
});
