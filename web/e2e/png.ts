// Smaller pictures: a PNG as browsers make it, with at most 256 colours. Pages have few; what is between them is the edges of letters.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** The same picture with a palette. It must have 8 bits for each of red, green, blue (and alpha, which is left out), not interlaced. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = read(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts].sort(([, one], [, two]) => two - one).slice(0, COLOURS).map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((pixel, at) => {
    let place = places.get(pixel);
    if (place === undefined) places.set(pixel, (place = nearest(palette, pixel)));
    rows[at + Math.floor(at / width) + 1] = place;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function nearest(palette: number[], colour: number): number {
  const distance = (other: number): number => [16, 8, 0].reduce((sum, by) => sum + (((colour >> by) & 255) - ((other >> by) & 255)) ** 2, 0);
  return palette.reduce((best, other, place) => (distance(other) < distance(palette[best] ?? 0) ? place : best), 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function read(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const bytes = { 2: 3, 6: 4 }[png[25] ?? 0];
  if (png[24] !== 8 || !bytes || png[28] !== 0) throw new Error("a kind of PNG that is not read here");
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * bytes;
  let above = new Uint8Array(line);
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (line + 1)] ?? 0;
    const here = Uint8Array.from(raw.subarray(row * (line + 1) + 1, (row + 1) * (line + 1)));
    for (let at = 0; at < line; at++) {
      const [left, up, corner] = [at < bytes ? 0 : here[at - bytes] ?? 0, above[at] ?? 0, at < bytes ? 0 : above[at - bytes] ?? 0];
      here[at] = (here[at] ?? 0) + predicted(filter, left, up, corner);
    }
    for (let x = 0; x < width; x++) pixels[row * width + x] = ((here[x * bytes] ?? 0) << 16) | ((here[x * bytes + 1] ?? 0) << 8) | (here[x * bytes + 2] ?? 0);
    above = here;
  }
  return { width, height, pixels };
}

/** What a filter of PNG adds, from the bytes before. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: {
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      return a <= b && a <= c ? left : b <= c ? up : corner;
    }
    default: return 0;
  }
}
