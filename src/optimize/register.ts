/** Installs optimisation: imported with the engine, for its effect. */
import { areAlike, automaticGuide } from '../guides/automatic.ts';
import { automaticGuides } from '../guides/guide-of.ts';
import { addMethod } from '../inference/methods.ts';
import { dreamSampleOf } from './dream.ts';
import { optimizing } from './front.ts';
import { runOptimize } from './optimize.ts';
import { optimizeMethod } from './optimize-method.ts';

automaticGuides.current = { make: automaticGuide, areAlike };
optimizing.current = { optimize: runOptimize, dreamSample: dreamSampleOf };
addMethod(optimizeMethod);
