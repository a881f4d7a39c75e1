/** Claims are decided by numbers: the paper's own results meet them, and results that contradict it do not. */
import { describe, expect, test } from 'vitest';
import type { Experiment, Runs } from '../../src/reproduce/experiment.ts';
import { gmm } from '../../src/reproduce/gmm.ts';
import { lda } from '../../src/reproduce/lda.ts';
import { qmr } from '../../src/reproduce/qmr.ts';
import { vaeSbn } from '../../src/reproduce/vae-sbn.ts';

const data = (source: string) => ({ description: 'data', source });

function unmet<R>(experiment: Experiment<R>, runs: Runs<R>, source = ''): (string | undefined)[] {
  const { claims } = experiment.chapter({ runs, data: data(source), scale: 'full' });
  return claims.filter(({ met }) => met !== true).map(({ claim, met }) => (met === undefined ? `? ${claim}` : claim));
}

/** A history that goes from one value to another in its first half. */
const history = (from: number, to: number, length = 100) =>
  Array.from({ length }, (_, i) => from + (to - from) * Math.min(1, (2 * i) / length));

describe('gmm', () => {
  /** Runs differ by their data, which all conditions of a run share. */
  const runs = (elbo: number, testNll: number) =>
    [-5, 0, 5].map((shift) => ({ history: history(-800, elbo - shift), testNll: testNll + shift }));
  const paper = {
    amortized: runs(-240, 222),
    'mean-field': runs(-240, 238),
    marginalised: runs(-195, 186),
    'true-model': [-5, 0, 5].map((shift) => ({ trainNll: 177 + shift, testNll: 177 + shift })),
  };

  test('the paper meets its claims', () => expect(unmet(gmm, paper)).toEqual([]));

  test('a marginalised model that is worse does not', () => {
    expect(unmet(gmm, { ...paper, marginalised: runs(-250, 240) })).toEqual([
      'marginalised reaches a higher ELBO than amortized',
      'marginalised has a smaller test NLL than amortized',
      "marginalised: final ELBO no worse than the paper's",
      "marginalised: test negative log-likelihood no worse than the paper's",
    ]);
  });

  test('easier data do not make a model better', () => {
    const easy = [0, 1].map(() => ({ trainNll: 100, testNll: 100 }));
    const met = unmet(gmm, { ...paper, 'true-model': [...easy, easy[0]] });
    expect(met).toContain("marginalised: test negative log-likelihood no worse than the paper's");
  });
});

describe('qmr', () => {
  const run = (from: number, to: number, guide = 0.45) => [{ history: history(from, to), prior: 0.18, guide }];
  const paper = {
    'no-reduction': run(-250_000, -249_000),
    'local-weights': run(-250_000, -68_000),
    baselines: run(-250_000, -48_000),
    'mean-field': run(-250_000, -145_000),
    factored: run(-250_000, -47_500, 0.44),
    gru: run(-250_000, -47_000, 0.46),
  };

  test('the paper meets its claims', () => expect(unmet(qmr, paper)).toEqual([]));

  test.each([
    ['no-reduction', run(-250_000, -100_000), 'without variance reduction there is no progress'],
    ['local-weights', run(-250_000, -200_000), 'local weights make progress'],
    ['baselines', run(-250_000, -48_000, 0.3), 'the guide predicts at least twice as many active effects as the prior'],
    ['gru', run(-250_000, -49_000), 'factored + GRU is at least level with the joint guide'],
    ['mean-field', run(-250_000, -50_000), 'mean field is slow'],
  ])('another result of %s does not', (name, other, claim) => {
    expect(unmet(qmr, { ...paper, [name]: other })).toContain(claim);
  });
});

describe('lda', () => {
  const run = (from: number, to: number) => [{ history: history(from, to), topWords: [['a', 'b'], ['c', 'd']] }]; // biome-ignore format: one run
  const paper = {
    marginalised: run(-47_200, -39_300),
    'word-guide': run(-49_200, -40_150),
    'document-guide': run(-49_000, -40_300),
    'mean-field': run(-49_200, -40_500),
  };

  test('the paper meets its claims', () => expect(unmet(lda, paper, 'abstracts')).toEqual([]));

  test('another order does not, nor another start', () => {
    const other = { ...paper, 'word-guide': run(-47_000, -40_400) };
    expect(unmet(lda, other, 'abstracts')).toEqual([
      'word-level guide reaches a higher ELBO than document-level guide',
      "word-level guide: ELBO after 10,000 steps no worse than the paper's",
      "word-level guide: the ELBO starts where the paper's does",
    ]);
  });

  test('the values of a made-up corpus are not those of the paper', () => {
    expect(unmet(lda, paper, 'made up').every((claim) => claim?.startsWith('? '))).toBe(true);
  });

  test('the table of topics has a column for each', () => {
    const { tables } = lda.chapter({ runs: paper, data: data('abstracts'), scale: 'full' });
    expect(tables.find(({ name }) => name === 'topics')).toMatchObject({
      head: ['topic 1', 'topic 2'],
      rows: [['a', 'c'], ['b', 'd']], // biome-ignore format: as printed
    });
  });
});

describe('vae-sbn', () => {
  const picture = Array.from({ length: 784 }, () => 0);
  const run = (steps: number, testElbo: number, recognised = 1) => [
    {
      history: history(-550, -100, steps),
      testElbo,
      recognised,
      reconstructions: [{ target: picture, reconstructed: [picture] }],
    },
  ];

  test('results that are as asked', () => {
    expect(unmet(vaeSbn, { vae: run(1000, -100), sbn: run(4000, -130) }, 'MNIST')).toEqual([]);
  });

  test('results that are not', () => {
    expect(unmet(vaeSbn, { vae: run(4000, -113, 0.5), sbn: run(1000, -136) }, 'MNIST')).toEqual([
      'VAE: test ELBO better than −112 nats',
      'VAE: reconstructions can be recognised',
      'SBN: test ELBO better than −135 nats',
      'the SBN is slower to train than the VAE',
    ]);
  });
});
