import { expect, test } from 'bun:test'
import { canvases } from '../../../src/features/files/animation/frames.ts'
import { readGif } from '../../../src/features/files/animation/gif.ts'
import { pixelsOf } from '../../../src/features/files/animation/pixels.ts'
import { readWebp, stillWebp } from '../../../src/features/files/animation/webp.ts'
import { emojiPicture } from '../../../src/features/emoji/picture.ts'
import { gif } from '../../support/animations.ts'
import { seeded } from '../../support/happenings.ts'

const [RED, GREEN, BLUE, WHITE] = ['red', 'green', 'blue', 'white']

/** The nearest of the test's colours. */
function colorOf([red = 0, green = 0, blue = 0, alpha = 0]: Iterable<number> & ArrayLike<number>): string | undefined {
  if (alpha < 128) return 'none'
  return red > 128 ? (green > 128 ? WHITE : RED) : green > blue ? GREEN : BLUE
}

/** The colours at some points of each canvas. */
async function seen(animation: ReturnType<typeof readGif>, places: [number, number][]) {
  const frames: unknown[] = []
  for await (const canvas of canvases(animation))
    frames.push(places.map(([x, y]) => colorOf(canvas.slice((y * animation.width + x) * 4).slice(0, 4))))
  return frames
}

test('an animated GIF is read as browsers read it: parts, transparency, disposal of frames', async () => {
  const animation = readGif(gif())
  expect([animation.width, animation.height, animation.plays]).toEqual([20, 10, 3])
  // A browser shows frames with too short a delay for 100 ms.
  expect(animation.frames.map(({ ms }) => ms)).toEqual([200, 50, 100, 300])
  expect(
    await seen(animation, [
      [0, 0],
      [4, 2],
      [5, 2],
      [3, 1],
      [19, 9],
    ]),
  ).toEqual([
    [RED, RED, GREEN, WHITE, WHITE],
    // Green is transparent in the smaller one.
    [RED, RED, GREEN, WHITE, WHITE],
    [RED, WHITE, WHITE, WHITE, WHITE],
    [RED, 'none', 'none', WHITE, BLUE],
  ])
})

test('an animated emoji stays animated: from a GIF, and from the WebP made of the GIF', async () => {
  const webp = await emojiPicture(gif())
  expect(await new Bun.Image(webp).metadata()).toEqual({ width: 20, height: 10, format: 'webp' })
  for (const bytes of [webp, await emojiPicture(webp)]) {
    const animation = readWebp(bytes)
    expect([animation.plays, animation.frames.map(({ ms }) => ms)]).toEqual([3, [200, 50, 100, 300]])
    const frames = await seen(animation, [
      [15, 7],
      [6, 4],
    ])
    expect([frames[3], (frames[2] as string[])[1]]).toEqual([[BLUE, 'none'], WHITE] as never)
  }
})

test('the first picture of an animated emoji is a picture by itself, and a still emoji is that picture', async () => {
  const webp = await emojiPicture(gif())
  const still = stillWebp(webp)
  expect(await new Bun.Image(still).metadata()).toEqual({ width: 20, height: 10, format: 'webp' })
  expect(Buffer.from(still).includes('ANMF')).toBe(false)
  const pixels = await pixelsOf(still, 20, 10)
  const first = await readWebp(webp).frames[0]?.pixels()
  expect(Buffer.from(pixels).equals(Buffer.from(first ?? []))).toBe(true)
  expect(stillWebp(still)).toBe(still)
})

test('a large animation becomes small, and one beyond the bounds a still picture', async () => {
  const large = gif()
  // The canvas grows; its parts do not move.
  new DataView(large.buffer).setUint16(6, 400, true)
  const small = await emojiPicture(large)
  expect(await new Bun.Image(small).metadata()).toEqual({ width: 128, height: 3, format: 'webp' })
  expect(readWebp(small).frames).toHaveLength(4)
  new DataView(large.buffer).setUint16(6, 1000, true)
  expect(() => readWebp(new Uint8Array())).toThrow(RangeError)
  expect(Buffer.from(await emojiPicture(large)).includes('ANMF')).toBe(false)
  const many = Buffer.concat([
    gif().subarray(0, -1),
    ...Array.from({ length: 60 }, () => framesOf(gif())),
    Buffer.of(0x3b),
  ])
  expect(readGif(many).frames).toHaveLength(4 * 61)
  expect(Buffer.from(await emojiPicture(many)).includes('ANMF')).toBe(false)
})

/** Everything between the head of the test's GIF, with its palette and loop count, and its end. */
const framesOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(13 + 12 + 19, -1)

test('an animation with any damage becomes an emoji or is refused', async () => {
  const random = seeded(7)
  const webp = await emojiPicture(gif())
  for (const whole of [gif(), webp])
    for (let n = 0; n < 150; n++) {
      const bytes = whole.slice(0, n % 3 === 0 ? Math.floor(random() * whole.length) : whole.length)
      for (let change = 0; change < 1 + (n % 4); change++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      const result = await emojiPicture(bytes).catch((error: { code?: string }) => error.code)
      expect(result instanceof Uint8Array || result === 'validation_failed' ? '' : result).toBe('')
    }
})
