export interface Frame {
  /** Position on the canvas, px. */
  x: number
  y: number
  width: number
  height: number
  /** Duration, ms. */
  ms: number
  /** Disposal of the frame's area of the canvas before the next frame is drawn. */
  after: 'kept' | 'cleared' | 'restored'
  /** True if the canvas shows through transparent pixels. */
  blends: boolean
  /** Four bytes per pixel: red, green, blue, alpha. @throws RangeError if the frame is damaged */
  pixels(): Promise<Uint8Array>
}

export interface Animation {
  width: number
  height: number
  /** Number of repetitions; 0 loops forever. */
  plays: number
  frames: Frame[]
}

/** Yields the whole canvas as it looks during each frame. The same buffer is reused for the next frame. */
export async function* canvases({ width, height, frames }: Animation): AsyncGenerator<Uint8Array> {
  const canvas = new Uint8Array(width * height * 4)
  for (const frame of frames) {
    const before = frame.after === 'restored' ? canvas.slice() : undefined
    draw(canvas, width, frame, await frame.pixels())
    yield canvas
    if (before) canvas.set(before)
    if (frame.after === 'cleared') clear(canvas, width, frame)
  }
}

function clear(canvas: Uint8Array, canvasWidth: number, { x, y, width, height }: Frame): void {
  for (let row = y; row < y + height; row++)
    canvas.fill(0, (row * canvasWidth + x) * 4, (row * canvasWidth + x + width) * 4)
}

function draw(canvas: Uint8Array, canvasWidth: number, frame: Frame, pixels: Uint8Array): void {
  const { x, y, width, height, blends } = frame
  if (pixels.length !== width * height * 4) throw new RangeError('not as many pixels as the frame has')
  for (let row = 0; row < height; row++) {
    const [from, to] = [row * width * 4, ((y + row) * canvasWidth + x) * 4]
    if (!blends) canvas.set(pixels.subarray(from, from + width * 4), to)
    else for (let at = 0; at < width * 4; at += 4) blend(canvas, to + at, pixels, from + at)
  }
}

/** Draws one pixel over another. Source: Porter and Duff, operator "over"; colours are not premultiplied by alpha. */
function blend(canvas: Uint8Array, to: number, pixels: Uint8Array, from: number): void {
  const alpha = pixels[from + 3] ?? 0
  const below = ((canvas[to + 3] ?? 0) * (255 - alpha)) / 255
  if (alpha === 0) return
  for (let at = 0; at < 3; at++)
    canvas[to + at] = ((pixels[from + at] ?? 0) * alpha + (canvas[to + at] ?? 0) * below) / (alpha + below)
  canvas[to + 3] = alpha + below
}
