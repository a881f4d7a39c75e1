/** Loads what executions side by side and recordings need, for all compiled modules: `import 'waymark/columns'`. */
import * as families from '../distributions/index.ts';
import * as columns from '../lanes/columns/linkage.ts';
import { Readings } from '../program/readings.ts';
import { sideBySide } from './waiting.ts';

type Names = Readonly<Record<string, unknown>>;

/** With all families: `gaussian` needs `Gaussian`, which a module need not import. */
const withFamilies = (library: Names): Names =>
  Object.getPrototypeOf(library) === Object.prototype ? ({ __proto__: families, ...library } as Names) : library;

sideBySide.install((library) => new Readings(withFamilies(library), { columns }));
