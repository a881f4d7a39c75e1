// Chorales of Bach (JSB): what is played in each quarter, as the file says it.
import { argv, loadData } from 'waymark';

type Part = readonly (readonly (readonly number[])[])[];

if (argv.chorales === undefined) {
  throw new Error(
    'This problem needs the JSB chorales, {train, valid, test} of lists of chords: give their file with --jsb FILE.',
  );
}
const chorales = loadData<Record<'train' | 'valid' | 'test', Part>>(String(argv.chorales));
const slices = (part: Part): number => part.reduce((sum, sequence) => sum + sequence.length, 0);

export default {
  ...chorales,
  description:
    `${chorales.train.length} chorales of ${slices(chorales.train)} slices to learn from, and ${chorales.test.length} of ` +
    `${slices(chorales.test)} to test with. A slice is a set of notes, each there or not.`,
};
