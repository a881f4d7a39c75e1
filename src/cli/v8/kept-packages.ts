/** Packages that programs use are loaded with code that V8 has compiled before, as the command is. */
import { packages } from '../../host/packages.ts';
import { loadPackage } from './kept-code.ts';

packages.load = loadPackage;
