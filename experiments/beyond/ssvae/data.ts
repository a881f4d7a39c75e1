// Digits of MNIST. Programs read the files themselves: what is kept is where they are, and what is in them.
import { digitsData } from '../digits.ts';

export default digitsData(
  'MNIST: 60,000 digits, of which few are learned from with their labels, and 10,000 to test with. A pixel is 1 if its grey level is at ' +
    'least half of white, else 0.',
  ['train-labels-idx1-ubyte', 't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'],
);
