/** Builds the runtime of modules that `waymark export` writes. */
import { oneText } from './one-text.ts';

export default oneText({ exported: 'src/modules/exported.ts' }, false);
