/** Loads what gradients need, for all compiled modules: `import 'waymark/gradients'`. */
import { liftedLinkage } from '../lifting/linkage.ts';
import { installGradients } from './gradients-hook.ts';

installGradients(liftedLinkage);
