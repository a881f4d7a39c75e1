// The data of section 6.1: for each run, 100 points to learn from and 100 to test with, drawn from the true mixture.
import { argv, repeat } from 'waymark';
import { drawPoint, trueMixture } from './mixture.ts';

const POINTS = 100;

export default {
  description: `For each of the ${argv.runs} runs, ${POINTS} points to learn from and ${POINTS} to test with, drawn from the true mixture.`,
  runs: repeat(Number(argv.runs), () => ({
    train: repeat(POINTS, () => drawPoint(trueMixture)),
    test: repeat(POINTS, () => drawPoint(trueMixture)),
  })),
};
