/** Section 6.4: a variational autoencoder and a sigmoid belief network. */
import type { Chapter, Claim } from './chapter.ts';
import { curveFigure } from './curves.ts';
import type { Experiment, Findings } from './experiment.ts';
import { figure } from './numbers.ts';
import { pictureGrid } from './picture-grid.ts';
import { ending, firstAbove } from './statistics.ts';

interface DigitsRun {
  /** Nats per image. */
  readonly history: readonly number[];
  readonly testElbo: number;
  readonly recognised: number;
  readonly reconstructions: readonly {
    readonly target: readonly number[];
    readonly reconstructed: readonly (readonly number[])[];
  }[];
}

const IMAGE_WIDTH = 28;
const FROM_ELBO = -260;

export const vaeSbn: Experiment<DigitsRun> = {
  name: 'vae-sbn',
  title: 'Variational autoencoder and sigmoid belief network',
  origin: 'section 6.4',
  runs: { full: 1, quick: 1 },
  conditions: [
    { name: 'vae', label: 'VAE', program: 'vae', steps: { full: 9_000, quick: 400 }, cost: 22 },
    { name: 'sbn', label: 'SBN', program: 'sbn', steps: { full: 18_000, quick: 800 }, cost: 10 },
  ],
  dataArguments: ({ mnist }) => (mnist === undefined ? {} : { ...mnist }),
  chapter,
};

function chapter({ runs, data }: Findings<DigitsRun>): Chapter {
  const [vae] = runs.vae;
  const [sbn] = runs.sbn;
  const [elbo, elboTable] = curveFigure(
    {
      name: 'elbo',
      caption: 'Of images learned from, in nats per image. Each point is the mean of the steps around it.',
      objective: 'ELBO per image',
      from: FROM_ELBO,
    },
    [
      { label: 'VAE', histories: [vae.history] },
      { label: 'SBN', histories: [sbn.history] },
    ],
  );
  const column = (run: DigitsRun, i: number) => run.reconstructions.map(({ reconstructed }) => reconstructed[i]);
  const each = (run: DigitsRun, heading: string) =>
    run.reconstructions[0].reconstructed.map((_, i) => ({ heading, pictures: column(run, i) }));
  const grid = pictureGrid(
    'reconstructions',
    'Test images, and what their codes decode to, drawn three times.',
    IMAGE_WIDTH,
    [
      { heading: 'target', pictures: vae.reconstructions.map(({ target }) => target) },
      ...each(vae, 'VAE'),
      ...each(sbn, 'SBN'),
    ],
  );
  const values = {
    name: 'values',
    caption: 'Nats per image, of the images learned from (the last twentieth of the steps) and of test images.',
    head: ['model', 'steps', 'train ELBO', 'test ELBO', 'recognised'],
    rows: [
      ['VAE', vae.history.length, ending(vae.history).toFixed(1), vae.testElbo.toFixed(1), vae.recognised],
      ['SBN', sbn.history.length, ending(sbn.history).toFixed(1), sbn.testElbo.toFixed(1), sbn.recognised],
    ],
  };
  return { figures: [elbo, grid], tables: [elboTable, values], claims: claims(vae, sbn, data.source), remarks: [] };
}

/** What the models have to do better than, with nine thousand digits to learn from. */
const VAE_ELBO = -112;
const SBN_ELBO = -135;
const RECOGNISABLE = 0.95;
/** The paper compares how long both take to an ELBO of −9.0e6 for 60,000 images: −150 nats per image. */
const LEVEL = -150;
const LEVEL_REACH = 20;

function claims(vae: DigitsRun, sbn: DigitsRun, source: string | undefined): Claim[] {
  const real = source === 'MNIST';
  const steps = [vae, sbn].map(({ history }) => firstAbove(history, LEVEL, LEVEL_REACH));
  const [vaeSteps = Infinity, sbnSteps = Infinity] = steps;
  const shown = steps.map((step) => (step === undefined ? 'never' : `after ${figure(step)} steps`));
  const recognised = (label: string, run: DigitsRun): Claim => ({
    claim: `${label}: reconstructions can be recognised`,
    paper: 'shown',
    waymark: `${figure(100 * run.recognised)} %`,
    test: `of 100 test images, at least ${figure(100 * RECOGNISABLE)} % are nearer to their reconstruction than the 999 others`,
    met: run.recognised >= RECOGNISABLE,
  });
  return [
    {
      claim: `VAE: test ELBO better than ${figure(VAE_ELBO)} nats`,
      paper: 'training images only: −142',
      waymark: figure(vae.testElbo, 1),
      test: `mean ELBO of test images above ${figure(VAE_ELBO)}`,
      met: real ? vae.testElbo > VAE_ELBO : undefined,
    },
    recognised('VAE', vae),
    {
      claim: `SBN: test ELBO better than ${figure(SBN_ELBO)} nats`,
      paper: 'training images only: −150',
      waymark: figure(sbn.testElbo, 1),
      test: `mean ELBO of test images above ${figure(SBN_ELBO)}`,
      met: real ? sbn.testElbo > SBN_ELBO : undefined,
    },
    {
      claim: 'the SBN is slower to train than the VAE',
      paper: `more than three times as many steps to ${figure(LEVEL)} nats`,
      waymark: `${shown[1]}, against ${shown[0]}`,
      test: `it takes more steps to a training ELBO of ${figure(LEVEL)} nats per image`,
      met: Number.isFinite(vaeSteps) ? sbnSteps > vaeSteps : undefined,
    },
  ];
}
