import { inflateSync } from 'node:zlib'

const BMP_HEAD = 14
/** Size of BITMAPV4HEADER, the first version with alpha. */
const BMP_INFO = 108
const BITFIELDS = 3
/** A PNG's signature and its first chunk. */
const PNG_HEAD = 33
const PNG_RGBA = 6
const PNG_RGB = 2

/** Wraps RGBA pixels as a BMP, which Bun can read. */
export function pictureOf(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const head = Buffer.alloc(BMP_HEAD + BMP_INFO)
  head.write('BM', 'latin1')
  head.writeUInt32LE(head.length + pixels.length, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(BMP_INFO, 14)
  head.writeInt32LE(width, 18)
  // Negative height: rows from top to bottom.
  head.writeInt32LE(-height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(32, 28)
  head.writeUInt32LE(BITFIELDS, 30)
  head.writeUInt32LE(pixels.length, 34)
  for (const [at, mask] of [0xff, 0xff00, 0xff0000, 0xff000000].entries()) head.writeUInt32LE(mask, 54 + at * 4)
  return Buffer.concat([head, pixels])
}

/** Decodes a picture into RGBA pixels. @throws RangeError if it has another size */
export async function pixelsOf(picture: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  // Without compression, Bun does not filter the rows.
  const png = await new Bun.Image(picture, { maxPixels: width * height }).png({ compressionLevel: 0 }).buffer()
  const channels = { [PNG_RGBA]: 4, [PNG_RGB]: 3 }[png[25] ?? 0]
  if (png.readUInt32BE(16) !== width || png.readUInt32BE(20) !== height || !channels)
    throw new RangeError('a frame of another size')
  const rows = inflateSync(Buffer.concat([...dataOf(png)]), { maxOutputLength: height * (1 + width * channels) })
  const pixels = new Uint8Array(width * height * 4).fill(255)
  for (let row = 0; row < height; row++) {
    const from = row * (1 + width * channels)
    if (rows[from] !== 0) throw new RangeError('a row that is filtered')
    for (let at = 0; at < width; at++)
      for (let part = 0; part < channels; part++)
        pixels[(row * width + at) * 4 + part] = rows[from + 1 + at * channels + part] ?? 0
  }
  return pixels
}

function* dataOf(png: Buffer): Generator<Uint8Array> {
  for (let at = PNG_HEAD; at + 8 <= png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') yield png.subarray(at + 8, at + 8 + length)
    at += 12 + length
  }
}
