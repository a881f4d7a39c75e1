// What the programs of section 6.4 share: the images, and how a model of them is judged.
import { forwardGuide, mapData, Optimize, type Params, type Tensor, Vector } from 'waymark';
import { givenData, train } from '../training.ts';

/** Binary images, each as a text of 784 zeros and ones. */
interface Digits {
  readonly train: readonly string[];
  readonly test: readonly string[];
}

export const dataDim = 28 * 28;

const image = (bits: string): Tensor => Vector(Array.from(bits, Number));
const digits = givenData<Digits>();
const trainImages = digits.train.map(image);
const testImages = digits.test.map(image);

/** Explains one image: draws its latent code, observes the image, and returns what the code decodes to. */
export type Explain = (image: Tensor) => Tensor;

/** Executions that the test ELBO is the mean of. */
const EVALUATIONS = 10;
/** The paper's figure has five images, each reconstructed three times by each model. */
const TARGETS = 5;
const RECONSTRUCTIONS = 3;
/** Of how many test images it is asked whether their reconstructions can be told apart. */
const RECOGNISED = 100;

/** Learns as in the paper; gives the ELBO of test images in nats per image, and reconstructions. */
export function learnDigits(explain: Explain) {
  const model = () => mapData({ data: trainImages, batchSize: 100 }, explain);
  const { params, history } = train(model, { optMethod: { adam: { stepSize: 0.001 } } });
  return {
    history: history.map((elbo) => elbo / trainImages.length),
    testElbo: testElbo(explain, params),
    recognised: recognised(explain),
    reconstructions: testImages.slice(0, TARGETS).map((target) => ({
      target: levels(target),
      reconstructed: Array.from({ length: RECONSTRUCTIONS }, () => levels(reconstruct(explain, target))),
    })),
  };
}

/** What the image decodes to after it was encoded by the guide. */
const reconstruct = (explain: Explain, target: Tensor): Tensor => forwardGuide(() => explain(target));

/** The mean ELBO of a test image: the objective of one step is that of the parameters before it. */
function testElbo(explain: Explain, params: Params): number {
  let objective = Number.NaN;
  Optimize(() => mapData({ data: testImages }, explain), {
    params,
    steps: 1,
    gradients: 'paper',
    estimator: { ELBO: { samples: EVALUATIONS } },
    onFinish: ({ history }: { history: readonly number[] }) => {
      [objective] = history;
    },
  });
  return objective / testImages.length;
}

/** The share of reconstructions that resemble their target more than any other test image. */
function recognised(explain: Explain): number {
  const found = testImages.slice(0, RECOGNISED).filter((target) => {
    const { data } = reconstruct(explain, target);
    const own = squaredDistance(data, target.data);
    return testImages.every((other) => other === target || squaredDistance(data, other.data) > own);
  });
  return found.length / Math.min(RECOGNISED, testImages.length);
}

const squaredDistance = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
};

/** Probabilities of pixels as grey levels from 0 to 255. */
const levels = (probs: Tensor): number[] => Array.from(probs.data, (p) => Math.round(255 * p));
