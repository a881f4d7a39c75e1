/** Installs optimisation: imported with the engine, for its effect. */
import { automaticGuide } from '../guides/automatic.ts';
import { automaticGuides } from '../guides/guide-of.ts';
import { optimizing } from './front.ts';
import { runOptimize } from './optimize.ts';

automaticGuides.make = automaticGuide;
optimizing.current = { optimize: runOptimize };
