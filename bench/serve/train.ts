import { Amortize } from 'waymark';
import { example, model } from './model.ts';

Amortize(model, { example, steps: 1500 }).save('line.net');
