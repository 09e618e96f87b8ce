/** CRC-32 as Ogg uses it, bit by bit: not the code under test. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

export interface PageDraft {
  flags: number
  granule: bigint
  sequence: number
  serial?: number
  packets: Uint8Array[]
}

/** A page of Ogg with whole packets, each below 255 × 255 bytes. */
export function oggPage({ flags, granule, sequence, serial = 7, packets }: PageDraft): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255])
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeBigUInt64LE(granule, 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = lacing.length
  const page = Buffer.concat([head, Uint8Array.from(lacing), ...packets])
  page.writeUInt32LE(crcOf(page), 22)
  return page
}

export interface HeadDraft {
  channels?: number
  skip?: number
  gain?: number
  family?: number
}

export function opusHead({ channels = 1, skip = 312, gain = 0, family = 0 }: HeadDraft = {}): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head[8] = 1
  head[9] = channels
  head.writeUInt16LE(skip, 10)
  head.writeUInt32LE(48_000, 12)
  head.writeInt16LE(gain, 16)
  head[18] = family
  return head
}

export const opusTags = (): Uint8Array => Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])

/** 20 ms of silence: CELT, full band, mono. */
export const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe)
const PACKET_SAMPLES = 960
const PACKETS_PER_PAGE = 50

/** A sound of silence. @param seconds a multiple of 0.02 */
export function sound(seconds: number, head: HeadDraft = {}): Uint8Array {
  const count = Math.round(seconds * 50) + 1
  const pages: Uint8Array[] = [
    oggPage({ flags: 2, granule: 0n, sequence: 0, packets: [opusHead(head)] }),
    oggPage({ flags: 0, granule: 0n, sequence: 1, packets: [opusTags()] }),
  ]
  for (let at = 0; at < count; at += PACKETS_PER_PAGE) {
    const packets = Array.from({ length: Math.min(PACKETS_PER_PAGE, count - at) }, () => SILENCE)
    const isLast = at + PACKETS_PER_PAGE >= count
    const end = (at + packets.length) * PACKET_SAMPLES
    const granule = isLast ? (head.skip ?? 312) + Math.round(seconds * 48_000) : end
    pages.push(oggPage({ flags: isLast ? 4 : 0, granule: BigInt(granule), sequence: pages.length, packets }))
  }
  return Buffer.concat(pages)
}
