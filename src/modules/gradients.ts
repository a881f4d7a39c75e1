/** Loads what gradients need, for all compiled modules: `import 'waymark/gradients'`. */
import { liftedLinkage } from '../lifting/linkage.ts';
import { lifting } from './waiting.ts';

lifting.install(liftedLinkage);
