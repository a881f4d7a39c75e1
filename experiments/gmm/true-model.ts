// Section 6.1: the mixture that the data come from, for comparison. Nothing is learned.
import { points, testNll, trueMixture, unguided } from './mixture.ts';

export default { testNll: testNll(points().test, (y) => unguided(trueMixture, y)) };
