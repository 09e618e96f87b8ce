// Reads Ogg (RFC 3533) with one stream of Opus (RFC 7845), strictly: anything that a player might
// interpret differently is refused, so that no file is longer or louder than the server believes.

const PAGE_HEAD_BYTES = 27
const VERSION_AT = 4
const FLAGS_AT = 5
const GRANULE_AT = 6
const SERIAL_AT = 14
const SEQUENCE_AT = 18
const CRC_AT = 22
const SEGMENTS_AT = 26
/** A segment of this size continues in the next one. */
const SEGMENT_BYTES_MAX = 255
const [CONTINUED, FIRST, LAST] = [1, 2, 4]

const HEAD_BYTES = 19
/** Samples per second of granule positions, whatever the input was. */
const RATE = 48_000
/** RFC 6716 §3.2.5: 120 ms. */
const PACKET_SAMPLES_MAX = 5_760

/** A sound that is damaged, hostile, or not Ogg Opus. The message is for developers. */
export class NotOggOpus extends Error {}

const demand = (isValid: boolean, message: string): void => {
  if (!isValid) throw new NotOggOpus(message)
}

/** RFC 3533 §6: polynomial 0x04c11db7, not reflected, from 0. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})

/** The checksum of a page, whose own field counts as 0. */
export function pageCrc(page: Uint8Array): number {
  let crc = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= CRC_AT && at < CRC_AT + 4 ? 0 : (page[at] ?? 0)
    crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 255] ?? 0)) >>> 0
  }
  return crc
}

interface Stream {
  /** Complete packets, in order. */
  packets: Uint8Array[]
  /** The granule position of the last page on which a packet ends. */
  granule: number
}

/** Reads the pages of a file. @throws NotOggOpus */
function readPages(bytes: Uint8Array): Stream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packets: Uint8Array[] = []
  let pending: Uint8Array[] = []
  let [at, pages, serial, granule, hasEnded] = [0, 0, 0, 0, false]
  while (at < bytes.length) {
    demand(!hasEnded, 'There are pages after the last one')
    demand(at + PAGE_HEAD_BYTES <= bytes.length, 'A page is cut off')
    demand(view.getUint32(at) === 0x4f676753 && bytes[at + VERSION_AT] === 0, 'This is no page of Ogg')
    const flags = bytes[at + FLAGS_AT] ?? 0
    const lacing = bytes.subarray(at + PAGE_HEAD_BYTES, at + PAGE_HEAD_BYTES + (bytes[at + SEGMENTS_AT] ?? 0))
    const body = at + PAGE_HEAD_BYTES + lacing.length
    const end = lacing.reduce((sum, size) => sum + size, body)
    demand(lacing.length === bytes[at + SEGMENTS_AT] && end <= bytes.length, 'A page is cut off')
    demand(view.getUint32(at + CRC_AT, true) === pageCrc(bytes.subarray(at, end)), 'A checksum is wrong')
    if (pages === 0) serial = view.getUint32(at + SERIAL_AT, true)
    demand(view.getUint32(at + SERIAL_AT, true) === serial, 'There are several streams')
    demand(view.getUint32(at + SEQUENCE_AT, true) === pages, 'Pages are missing')
    demand(flags <= (CONTINUED | FIRST | LAST) && ((flags & FIRST) !== 0) === (pages === 0), 'The flags are wrong')
    demand(((flags & CONTINUED) !== 0) === pending.length > 0, 'A packet is cut off')
    let from = body
    let packetsEnding = 0
    for (const size of lacing) {
      pending.push(bytes.subarray(from, from + size))
      from += size
      if (size === SEGMENT_BYTES_MAX) continue
      packets.push(Buffer.concat(pending))
      pending = []
      packetsEnding++
    }
    // RFC 7845 §3: the head has a page of its own.
    demand(pages > 0 || (packetsEnding === 1 && pending.length === 0), 'The first page has more than the head')
    const position = view.getBigUint64(at + GRANULE_AT, true)
    // RFC 3533 §6: -1 if no packet ends on the page.
    if (packetsEnding > 0) {
      demand(position <= BigInt(Number.MAX_SAFE_INTEGER) && Number(position) >= granule, 'The time runs backwards')
      granule = Number(position)
    } else demand(position === 0xffffffffffffffffn, 'The time runs backwards')
    hasEnded = (flags & LAST) !== 0
    at = end
    pages++
  }
  demand(pending.length === 0, 'A packet is cut off')
  return { packets, granule }
}

/** Samples of an Opus packet at 48 kHz (RFC 6716 §3.1). @throws NotOggOpus */
function samplesIn(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet
  demand(packet.length > 0, 'A packet is empty')
  const config = toc >> 3
  // SILK: 10, 20, 40, 60 ms; hybrid: 10, 20 ms; CELT: 2.5, 5, 10, 20 ms.
  const frame =
    config < 12 ? ([480, 960, 1920, 2880][config & 3] ?? 0) : config < 16 ? 480 << (config & 1) : 120 << (config & 3)
  const code = toc & 3
  demand(code < 3 || packet.length > 1, 'A packet is cut off')
  const frames = code === 0 ? 1 : code < 3 ? 2 : count & 63
  const samples = frame * frames
  demand(samples > 0 && samples <= PACKET_SAMPLES_MAX, 'A packet is too long')
  return samples
}

/**
 * The duration of a sound, ms.
 * @param bytes a whole file, whose size the caller bounds
 * @throws NotOggOpus for anything but one undamaged stream of Opus in mono or stereo
 */
export function durationOfOggOpus(bytes: Uint8Array): number {
  const { packets, granule } = readPages(bytes)
  const [head = new Uint8Array(), tags = new Uint8Array(), ...audio] = packets
  const text = (packet: Uint8Array) => Buffer.from(packet.subarray(0, 8)).toString('latin1')
  demand(text(head) === 'OpusHead' && head.length === HEAD_BYTES, 'This is no Opus')
  demand(text(tags) === 'OpusTags', 'There are no tags')
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const [version, channels, skip, gain, family] = [
    view.getUint8(8),
    view.getUint8(9),
    view.getUint16(10, true),
    view.getInt16(16, true),
    view.getUint8(18),
  ]
  demand(version >> 4 === 0 && family === 0 && (channels === 1 || channels === 2), 'This Opus is not in mono or stereo')
  // A gain would make the sound louder than any recording is.
  demand(gain <= 0, 'The sound is amplified')
  const samples = audio.reduce((sum, packet) => sum + samplesIn(packet), 0)
  // Only the last packet may be cut at its end; a later beginning would be a cut of a recording.
  demand(granule > skip && granule <= samples && samples - granule < PACKET_SAMPLES_MAX, 'The duration is wrong')
  return Math.ceil(((granule - skip) * 1000) / RATE)
}
