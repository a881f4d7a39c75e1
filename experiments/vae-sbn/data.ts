// The data of section 6.4: binary images of handwritten digits, or of digits drawn by a program.
import { argv, loadData, repeat, type Tensor } from 'waymark';
import { drawDigit } from './drawn-digits.ts';

const TRAIN = 9000;
const TEST = 1000;

/** Grey levels from this on are 1, those below it 0. */
const THRESHOLD = 0.5;
const BINARY = 'A pixel is 1 if its grey level is at least half of white, else 0: always the same images.';

const bits = (pixels: ArrayLike<number>): string => Array.from(pixels, (p) => (p >= THRESHOLD ? 1 : 0)).join('');

/** Of one file of digits, the last thousand are for testing. */
function fromFiles(trainFile: string, testFile: string | undefined) {
  const read = (file: string) => (loadData(file) as Tensor[]).map(({ data }) => bits(data));
  const first = read(trainFile);
  const [train, test] = testFile === undefined ? [first.slice(0, -TEST), first.slice(-TEST)] : [first, read(testFile)];
  const description = `${train.length} digits of MNIST to learn from and ${test.length} to test with. ${BINARY}`;
  return { source: 'MNIST', description, train, test };
}

function drawn() {
  const draw = (count: number) => repeat(count, () => bits(drawDigit()));
  return {
    source: 'drawn',
    description: `${TRAIN} digits to learn from and ${TEST} to test with, drawn by a program since there is no MNIST. ${BINARY}`,
    train: draw(TRAIN),
    test: draw(TEST),
  };
}

export default argv.train === undefined
  ? drawn()
  : fromFiles(String(argv.train), argv.test === undefined ? undefined : String(argv.test));
