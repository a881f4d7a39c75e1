// Digits of MNIST, of which scenes are made: each run makes its own.
import { digitsData } from '../digits.ts';

export default digitsData(
  'Scenes of 50 × 50 pixels with no, one or two digits of MNIST, each about 21 pixels high, where they do not hide each other. Test scenes are made ' +
    'of the 10,000 test digits.',
  ['train-labels-idx1-ubyte', 't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'],
);
