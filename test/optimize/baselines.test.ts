import { describe, expect, test } from 'vitest';
import { Baselines } from '../../src/optimize/baselines.ts';
import { Address } from '../../src/runtime/address.ts';

describe('baselines', () => {
  test('are the mean of a step at first, then a running average', () => {
    const baselines = new Baselines(0.9);
    const address = Address.root().at(1);
    expect(baselines.get(baselines.number(address))).toBeNaN();
    baselines.note(baselines.number(address), 2);
    baselines.note(baselines.number(address), 4);
    // What is subtracted within a step does not depend on the step.
    expect(baselines.get(baselines.number(address))).toBeNaN();
    baselines.update();
    expect(baselines.get(baselines.number(address))).toBe(3);
    baselines.note(baselines.number(address), 13);
    expect(baselines.get(baselines.number(address))).toBe(3);
    baselines.update();
    expect(baselines.get(baselines.number(address))).toBeCloseTo(0.9 * 3 + 0.1 * 13, 12);
    baselines.update();
    expect(baselines.get(baselines.number(address))).toBeCloseTo(4, 12);
  });

  test('of many choices at once are those of one after the other', () => {
    const [one, many] = [new Baselines(0.8), new Baselines(0.8)];
    const places = [0, 1, 2, 0].map((i) => Address.root().at(3).index(i).at(7));
    const averages = new Float64Array(4);
    for (const weights of [
      [1, 2, 4, 8],
      [0.5, -3, 7, 1],
    ]) {
      const numbers = Int32Array.from(places, (place) => many.number(place));
      expect(many.read(numbers, averages)).toBe(!Number.isNaN(one.get(one.number(places[0]))));
      expect([...averages]).toEqual(places.map((place) => one.get(one.number(place))));
      places.forEach((place, i) => {
        one.note(one.number(place), weights[i]);
      });
      many.noteAll(numbers, weights);
      one.update();
      many.update();
    }
    // One that is new has the average of its place, if it has one.
    const fresh = Address.root().at(3).index(9);
    expect(many.read(Int32Array.of(many.number(fresh.at(7))), averages)).toBe(true);
    expect(averages[0]).toBe(one.get(one.number(fresh.at(7))));
    expect(many.read(Int32Array.of(many.number(fresh.at(8))), averages)).toBe(false);
  });

  test.each([
    [
      'alone',
      [
        ['a', 1],
        ['b', 1],
      ],
    ],
    [
      'several times',
      [
        ['a', 1],
        ['a', 2],
      ],
    ],
    [
      'between those of single choices',
      [
        ['a', 1],
        ['single', 1],
        ['b', 1],
        ['a', 3],
      ],
    ],
    [
      'after those of single choices',
      [
        ['single', 1],
        ['a', 1],
        ['single', 2],
      ],
    ],
  ] as const)('of different choices of one owner are those of one after the other: noted %s', (_name, notes) => {
    const owners = { a: Address.root().at(3), b: Address.root().at(4), single: Address.root().at(3) };
    const [one, many] = [new Baselines(0.8), new Baselines(0.8)];
    for (let step = 0; step < 3; step++) {
      for (const [who, by] of notes) {
        const owner = owners[who];
        // Other data in each step, of one place.
        const places = [0, 2, 3].map((i) => owner.index(i + step).at(7)).slice(0, who === 'single' ? 1 : 3);
        const weights = places.map((_, i) => by * Math.cos(i + 5 * step));
        places.forEach((place, i) => {
          one.note(one.number(place), weights[i]);
        });
        if (who === 'single') many.note(many.number(places[0]), weights[0]);
        else
          many.noteAll(
            Int32Array.from(places, (place) => many.number(place)),
            weights,
            owner,
          );
      }
      const sums = (of: Baselines): unknown[] => {
        const found: unknown[] = [];
        of.eachNoted((number, sum, count) => found.push([of.nameOf(number, Address.root()), sum, count]));
        return found.sort();
      };
      // (Those who share what was noted ask for it before the step ends.)
      if (step === 1) expect(sums(many)).toEqual(sums(one));
      one.update();
      many.update();
    }
    expect([...many.save(Address.root())].sort()).toEqual([...one.save(Address.root())].sort());
  });

  test('of a datum met for the first time: that of its place in the program', () => {
    const baselines = new Baselines(0.5);
    const data = Address.root().at(3);
    baselines.note(baselines.number(data.index(0).at(7)), 10);
    baselines.note(baselines.number(data.index(1).at(7)), 20);
    baselines.note(baselines.number(data.index(1).at(8)), 100);
    baselines.update();
    expect(baselines.get(baselines.number(data.index(0).at(7)))).toBe(10);
    expect(baselines.get(baselines.number(data.index(5).at(7)))).toBe(15);
    expect(baselines.get(baselines.number(data.index(5).at(8)))).toBe(100);
    expect(baselines.get(baselines.number(data.index(5).at(9)))).toBeNaN();
  });
});
