import type { Animation, Frame } from './frames.ts'

/** GIF's unit of time. */
const TICK_MS = 10
/** Browsers replace frame durations up to this by a longer one. */
const HASTY_MS_MAX = 10
const HASTY_MS_SHOWN = 100
const CODES_MAX = 4096
/** First row and step of each pass of an interlaced picture. Source: GIF89a, appendix E. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const
const AFTER = { 2: 'cleared', 3: 'restored' } as const

class Reader {
  at = 0
  readonly #view: DataView
  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  byte = (): number => this.#view.getUint8(this.at++)
  short = (): number => this.#view.getUint16((this.at += 2) - 2, true)
  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new RangeError('the file ends too early')
    return this.bytes.subarray(this.at, (this.at += count))
  }
  /** The data of a chain of sub-blocks, up to the empty one. */
  blocks(): Uint8Array {
    const parts: Uint8Array[] = []
    for (let length = this.byte(); length > 0; length = this.byte()) parts.push(this.take(length))
    return Buffer.concat(parts)
  }
}

/** A graphic control extension, which describes the frame after it. */
interface Control {
  ms: number
  after: Frame['after']
  transparent: number | undefined
}
const PLAIN: Control = { ms: HASTY_MS_SHOWN, after: 'kept', transparent: undefined }

/** Parses a GIF. Pixels of a frame are decoded on demand. @throws RangeError if the file is damaged */
export function readGif(bytes: Uint8Array): Animation {
  const reader = new Reader(bytes)
  if (!/^GIF8[79]a$/.test(Buffer.from(reader.take(6)).toString('latin1'))) throw new RangeError('not a GIF')
  const [width, height, packed] = [reader.short(), reader.short(), reader.byte()]
  reader.take(2)
  const palette = paletteOf(reader, packed)
  const animation: Animation = { width, height, plays: 1, frames: [] }
  let control = PLAIN
  for (let block = reader.byte(); block !== 0x3b; block = reader.byte()) {
    if (block === 0x2c) {
      animation.frames.push(readFrame(reader, animation, control, palette))
      control = PLAIN
    } else if (block === 0x21) {
      const [label, data] = [reader.byte(), reader.blocks()]
      if (label === 0xf9) control = controlOf(data)
      if (label === 0xff && Buffer.from(data.subarray(0, 11)).toString('latin1') === 'NETSCAPE2.0') {
        const repeats = (data[12] ?? 0) + (data[13] ?? 0) * 256
        animation.plays = repeats === 0 ? 0 : repeats + 1
      }
    } else throw new RangeError('an unknown block')
  }
  return animation
}

const paletteOf = (reader: Reader, packed: number): Uint8Array | undefined =>
  packed & 0x80 ? reader.take(3 * 2 ** ((packed & 7) + 1)) : undefined

function controlOf([packed = 0, low = 0, high = 0, transparent]: Uint8Array): Control {
  const ms = (low + high * 256) * TICK_MS
  const disposal = (packed >> 2) & 7
  return {
    ms: ms <= HASTY_MS_MAX ? HASTY_MS_SHOWN : ms,
    after: disposal === 2 || disposal === 3 ? AFTER[disposal] : 'kept',
    transparent: packed & 1 ? transparent : undefined,
  }
}

function readFrame(reader: Reader, canvas: Animation, { ms, after, transparent }: Control, common?: Uint8Array): Frame {
  const [x, y, width, height] = [reader.short(), reader.short(), reader.short(), reader.short()]
  if (width === 0 || height === 0 || x + width > canvas.width || y + height > canvas.height)
    throw new RangeError('a frame beyond the canvas')
  const packed = reader.byte()
  const palette = paletteOf(reader, packed) ?? common
  const [size, data] = [reader.byte(), reader.blocks()]
  if (!palette || size < 2 || size > 8) throw new RangeError('a frame without colours')
  const pixels = async () => {
    const colors = unpack(data, size, width * height)
    const rows = packed & 0x40 ? interlacedRows(height) : undefined
    const rgba = new Uint8Array(width * height * 4)
    for (let at = 0; at < colors.length; at++) {
      const color = colors[at] ?? 0
      if (color === transparent) continue
      const row = Math.floor(at / width)
      const to = ((rows?.[row] ?? row) * width + (at % width)) * 4
      for (let part = 0; part < 3; part++) rgba[to + part] = palette[color * 3 + part] ?? 0
      rgba[to + 3] = 255
    }
    return rgba
  }
  return { x, y, width, height, ms, after, blends: true, pixels }
}

const interlacedRows = (height: number): number[] =>
  PASSES.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, n) => first + n * step),
  )

/**
 * Decompresses colour indexes (LZW). Source: GIF89a, appendix F.
 * @param minSize bits of an index
 * @param count pixels; missing ones are 0, surplus ones are dropped
 * @throws RangeError for an undefined code
 */
function unpack(data: Uint8Array, minSize: number, count: number): Uint8Array {
  const [clear, end] = [1 << minSize, (1 << minSize) + 1]
  const [prefix, suffix] = [new Uint16Array(CODES_MAX), new Uint8Array(CODES_MAX)]
  const stack = new Uint8Array(CODES_MAX + 1)
  const out = new Uint8Array(count)
  let [size, next, previous, first, bitBuffer, bits, at] = [minSize + 1, end + 1, -1, 0, 0, 0, 0]
  for (const byte of data) {
    bitBuffer |= byte << bits
    bits += 8
    while (bits >= size) {
      const code = bitBuffer & ((1 << size) - 1)
      bitBuffer >>>= size
      bits -= size
      if (code === end || at === count) return out
      if (code === clear) {
        ;[size, next, previous] = [minSize + 1, end + 1, -1]
        continue
      }
      if (code > next || (previous < 0 && code > end)) throw new RangeError('a code that stands for nothing')
      let depth = 0
      // The code being defined right now: the previous string plus its own first index.
      if (code === next) stack[depth++] = first
      let string = code === next ? previous : code
      for (; string > end; string = prefix[string] ?? 0) stack[depth++] = suffix[string] ?? 0
      first = string
      stack[depth++] = first
      while (depth > 0 && at < count) out[at++] = stack[--depth] ?? 0
      if (previous >= 0 && next < CODES_MAX) {
        ;[prefix[next], suffix[next]] = [previous, first]
        next++
        if (next === 1 << size && size < 12) size++
      }
      previous = code
    }
  }
  return out
}
