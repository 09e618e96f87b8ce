import { writeFileSync } from 'node:fs'
import OpusScript from 'opusscript'

// A file of Ogg with Opus (RFC 3533, RFC 7845): what bots play most.

const RATE = 48_000
const FRAME = 960
const SERIAL = 7

const CRCS = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})
const crcOf = (bytes: Buffer): number =>
  bytes.reduce((crc, byte) => ((crc << 8) ^ (CRCS[(crc >>> 24) ^ byte] ?? 0)) >>> 0, 0)

/** A page with one packet. @param flags 2 for the first page, 4 for the last */
function pageOf(packet: Buffer, sequence: number, position: number, flags: number): Buffer {
  const lacing = [...Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255]
  const head = Buffer.alloc(27)
  head.write('OggS')
  head.writeUInt8(flags, 5)
  head.writeBigUInt64LE(BigInt(position), 6)
  head.writeUInt32LE(SERIAL, 14)
  head.writeUInt32LE(sequence, 18)
  head.writeUInt8(lacing.length, 26)
  const page = Buffer.concat([head, Buffer.from(lacing), packet])
  page.writeUInt32LE(crcOf(page), 22)
  return page
}

/** Writes a file with a tone of 440 Hz. */
export function writeTone(path: string, seconds: number): void {
  const encoder = new OpusScript(RATE, 2, OpusScript.Application.AUDIO)
  const opusHead = Buffer.alloc(19)
  opusHead.write('OpusHead')
  opusHead.writeUInt8(1, 8)
  opusHead.writeUInt8(2, 9)
  opusHead.writeUInt32LE(RATE, 12)
  const opusTags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])
  const pages = [pageOf(opusHead, 0, 0, 2), pageOf(opusTags, 1, 0, 0)]
  const frames = (seconds * RATE) / FRAME
  for (let frame = 0; frame < frames; frame++) {
    const samples = Buffer.alloc(FRAME * 4)
    for (let at = 0; at < FRAME; at++) {
      const sample = Math.round(12_000 * Math.sin((2 * Math.PI * 440 * (frame * FRAME + at)) / RATE))
      samples.writeInt16LE(sample, at * 4)
      samples.writeInt16LE(sample, at * 4 + 2)
    }
    const packet = Buffer.from(encoder.encode(samples, FRAME))
    pages.push(pageOf(packet, frame + 2, (frame + 1) * FRAME, frame + 1 === frames ? 4 : 0))
  }
  encoder.delete()
  writeFileSync(path, Buffer.concat(pages))
}
