/** Where data come from: files that were named, files in their usual places, or nowhere. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WaymarkError } from '../runtime/errors.ts';
import type { Sources } from './experiment.ts';
import { programsFolder } from './task.ts';

const TRAIN_IMAGES = 'train-images-idx3-ubyte';
const TEST_IMAGES = 't10k-images-idx3-ubyte';

/** Beside the folder of the package. */
const usual = (name: string): string => join(dirname(programsFolder()), '../shared/data', name);

/** Places of data that the user has named. */
export interface GivenSources {
  readonly mnist?: string;
  readonly corpus?: string;
  readonly jsb?: string;
  readonly sbibm?: string;
  readonly posteriordb?: string;
}

/** Finds data. What is named must be there; what is not may be missing. */
export function findSources(given: GivenSources): Sources {
  const mnist = given.mnist ?? usual('mnist');
  const corpus = given.corpus ?? usual('cocolab-abstracts.json');
  const chorales = given.jsb ?? usual('jsb/jsb_chorales.json');
  if (given.mnist !== undefined && !statSync(mnist, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WaymarkError(`--mnist ${mnist}: there is no such folder.`);
  }
  const images = mnistFiles(mnist);
  if (given.mnist !== undefined && images === undefined) {
    throw new WaymarkError(
      `--mnist ${mnist}: there is neither ${TRAIN_IMAGES} nor ${TEST_IMAGES} in it, with or without .gz.`,
    );
  }
  if (given.corpus !== undefined && !existsSync(corpus)) {
    throw new WaymarkError(`--corpus ${corpus}: there is no such file.`);
  }
  if (given.jsb !== undefined && !existsSync(chorales)) {
    throw new WaymarkError(`--jsb ${chorales}: there is no such file.`);
  }
  const there = (path: string): string | undefined => (existsSync(path) ? resolve(path) : undefined);
  return {
    mnist: images,
    mnistFolder: there(mnist),
    corpus: there(corpus),
    chorales: there(chorales),
    sbibm: folder('sbibm', given.sbibm),
    posteriordb: folder('posteriordb', given.posteriordb),
  };
}

/** A folder of reference draws; undefined if there is none. */
function folder(name: string, given: string | undefined): string | undefined {
  const place = given ?? usual(name);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return resolve(place);
  if (given !== undefined) throw new WaymarkError(`--${name} ${given}: there is no such folder.`);
  return undefined;
}

/** Both files of MNIST, or one of them, which is then to be divided. */
function mnistFiles(folder: string): Sources['mnist'] {
  const find = (name: string): string | undefined =>
    [name, `${name}.gz`].map((file) => resolve(folder, file)).find((file) => existsSync(file));
  const [train, test] = [find(TRAIN_IMAGES), find(TEST_IMAGES)];
  if (train !== undefined && test !== undefined) return { train, test };
  const only = train ?? test;
  return only === undefined ? undefined : { train: only };
}
