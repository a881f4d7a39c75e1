import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { svgOf } from '../../src/report/svg.ts';
import { barFigure } from '../../src/reproduce/bars.ts';
import { curveFigure } from '../../src/reproduce/curves.ts';
import { pictureGrid } from '../../src/reproduce/picture-grid.ts';
import { pngUrl } from '../../src/reproduce/png.ts';

const count = (text: string, piece: string) => text.split(piece).length - 1;

describe('curves', () => {
  const description = { name: 'elbo', caption: 'ELBO', objective: 'nats' };

  test('a long history is thinned to means of the steps around, and keeps its ends', () => {
    const history = Array.from({ length: 10_001 }, (_, i) => i);
    const [, { rows }] = curveFigure(description, [{ label: 'a', histories: [history] }]);
    expect(rows.length).toBeLessThan(210);
    expect(rows[0]).toEqual(['a', 0, 12.5, 12.5, 12.5]);
    expect(rows.at(-1)?.[1]).toBe(10_000);
    // In the middle the mean of a straight line around a step is its value there.
    expect(rows[100]).toEqual(['a', 5000, 5000, 5000, 5000]);
  });

  test('several runs have a band, and a lowest value leaves out what is below it', async () => {
    const curves = [{ label: 'a', histories: [[-900, 1, 3], [-900, 3, 3]] }]; // biome-ignore format: one row per run
    const [figure, { rows }] = curveFigure({ ...description, from: -100 }, curves);
    expect(rows[1]).toEqual(['a', 1, 2, 0, 4]);
    const svg = await svgOf(figure.spec);
    expect(svg).toMatch(/^<svg /);
    expect(count(svg, 'role-mark')).toBeGreaterThanOrEqual(2);
    expect(svg).not.toContain('900');
    expect(svg).not.toContain('NaN');
  });
});

test('bars name their conditions', async () => {
  const [figure, { rows }] = barFigure({ name: 'bars', caption: '', measure: 'score' }, [
    { label: 'prior', values: [0.18] },
    { label: 'guide', values: [0.4, 0.5] },
  ]);
  expect(rows.map(([label, runs, mean]) => [label, runs, mean])).toEqual([
    ['prior', 1, 0.18],
    ['guide', 2, 0.45],
  ]);
  const svg = await svgOf(figure.spec);
  for (const word of ['prior', 'guide', 'score', '0.45']) expect(svg).toContain(word);
});

describe('pictures', () => {
  test('a PNG holds the levels row by row', () => {
    const bytes = Buffer.from(pngUrl([0, 255, 128, 7, 8, 9], 3).replace(/^[^,]*,/, ''), 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([3, 2]);
    const at = bytes.indexOf('IDAT');
    const content = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
    expect([...inflateSync(content)]).toEqual([0, 0, 255, 128, 0, 7, 8, 9]);
  });

  test('a grid holds all of them, below their headings', async () => {
    const picture = [0, 255, 255, 0];
    const figure = pictureGrid('grid', '', 2, [
      { heading: 'target', pictures: [picture, picture] },
      { heading: 'VAE', pictures: [picture, picture] },
      { heading: 'VAE', pictures: [picture, picture] },
    ]);
    const svg = await svgOf(figure.spec);
    expect(count(svg, '<image')).toBe(6);
    expect(count(svg, '>target<')).toBe(1);
    expect(count(svg, '>VAE<')).toBe(1);
  });
});
