import { holdRows } from './hold.ts';

holdRows(['lanes', 'graph']);
