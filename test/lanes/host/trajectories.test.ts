import { holdRows } from './hold.ts';

holdRows(['trajectories']);
