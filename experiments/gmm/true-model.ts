// Section 6.1: the mixture that the data come from, for comparison. Nothing is learned.
import { points, testNll, trueMixture, unguided } from './mixture.ts';

const { train, test } = points();
const nll = (ys: readonly number[]) => testNll(ys, (y) => unguided(trueMixture, y));

export default { trainNll: nll(train), testNll: nll(test) };
