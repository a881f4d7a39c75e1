/**
 * Compiles a program with WebPPL, runs it, and prints the CPU time of the run in milliseconds as the last line.
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
    console.log(JSON.stringify({ value, cpu: (user + system) / 1000 }));
  },
  options,
);
start = process.cpuUsage();
prepared.run();
