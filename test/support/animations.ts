import { crc32, deflateSync } from 'node:zlib'

/**
 * A GIF of 20 by 10 pixels that is played three times: a pattern of red, green, blue and white; a smaller one that is
 * cleared; a white square, after which what lay below is restored; a blue corner.
 */
export const gif = (): Uint8Array =>
  Uint8Array.from(
    Buffer.from(
      'R0lGODlhFAAKAIEAAP8AAAD/AAAA/////yH/C05FVFNDQVBFMi4wAwECAAAh+QQEFAAAACwAAAAAFAAKAAACGUQ0hprX65iMFNqH' +
        '59W59u1xYkiC5oeOZwEAIfkECQUAAQAsBAACAAYABAAAAgZEZHjJ61IAIfkEDAEAAAAsAgABAAgACAAAAgacj6nL7V0AIfkEBB4A' +
        'AAAsCgAFAAoABQAAAgaUj6nLnQUAOw==',
      'base64',
    ),
  )

const chunk = (name: string, data: Uint8Array): Uint8Array => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
const pixels = (width: number, height: number, colour: number[]) => {
  const row = [0, ...Array.from({ length: width }, () => colour).flat()]
  return deflateSync(Uint8Array.from(Array.from({ length: height }, () => row).flat()))
}

/** An APNG, played twice: red of the given edge for 200 ms, then a green square in its corner for half a second. */
export function apng(edge = 20): Uint8Array {
  const control = (at: number, size: number, delay: number[], flags: number[]) =>
    chunk('fcTL', Buffer.concat([numbers(at, size, size, 0, 0), Uint8Array.from([...delay, ...flags])]))
  const half = edge / 2
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([numbers(edge, edge), Uint8Array.from([8, 6, 0, 0, 0])])),
    chunk('acTL', numbers(2, 2)),
    control(0, edge, [0, 20, 0, 100], [0, 0]),
    chunk('IDAT', pixels(edge, edge, [255, 0, 0, 255])),
    control(1, half, [0, 1, 0, 2], [0, 1]),
    chunk('fdAT', Buffer.concat([numbers(2), pixels(half, half, [0, 255, 0, 255])])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
