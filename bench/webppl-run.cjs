/**
 * Compiles a program with WebPPL, runs it, and prints as the last line the CPU time in milliseconds, of the run (`cpu`) and of the process
 * until then, which has loaded WebPPL and compiled the program (`whole`).
 * Usage: node webppl-run.cjs PACKAGE-FOLDER PROGRAM SEED
 */
const { readFileSync } = require('node:fs');

const [folder, program, seed] = process.argv.slice(2);
const webppl = require(folder);
const util = require(`${folder}/src/util`);

util.seedRNG(Number(seed));
// Without its debug mode, which would make it slower.
const options = { debug: false };
const compiled = webppl.compile(readFileSync(program, 'utf8'), options);
let start;
const prepared = webppl.prepare(
  compiled,
  (_store, value) => {
    const { user, system } = process.cpuUsage(start);
    const all = process.cpuUsage();
    console.log(JSON.stringify({ value, cpu: (user + system) / 1000, whole: (all.user + all.system) / 1000 }));
  },
  options,
);
start = process.cpuUsage();
prepared.run();
