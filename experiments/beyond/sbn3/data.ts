// Digits of MNIST that were made binary once and for all, as published figures have them.
import { digitsData } from '../digits.ts';

export default digitsData(
  'MNIST with a fixed binarisation, that of the published figures: 50,000 digits to learn from and 10,000 to test with.',
  ['static-binarized-train.bits', 'static-binarized-test.bits'],
);
