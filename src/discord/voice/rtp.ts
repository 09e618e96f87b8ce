// RTP (RFC 3550 §5.1), as far as voice needs it.

const HEADER_BYTES = 12
const VERSION = 2

/** The fields of an RTP packet that pass between a bot and a call. */
export interface Rtp {
  marker: boolean
  payloadType: number
  sequence: number
  timestamp: number
  ssrc: number
  /** Opus. */
  payload: Buffer
}

/** The length of a packet's parts before the payload. */
interface Layout {
  /** The fixed header and the list of contributing sources. */
  sources: number
  /** The same with the head of the header extension, if there is one. */
  head: number
  /** Bytes of the body of the header extension. */
  extension: number
}

/** @returns undefined if the packet is not RTP, or is shorter than its own fields say */
export function layoutOf(packet: Buffer): Layout | undefined {
  if (packet.length < HEADER_BYTES) return undefined
  const first = packet.readUInt8(0)
  if (first >> 6 !== VERSION) return undefined
  const sources = HEADER_BYTES + 4 * (first & 0x0f)
  const hasExtension = (first & 0x10) !== 0
  const head = sources + (hasExtension ? 4 : 0)
  if (packet.length < head) return undefined
  return { sources, head, extension: hasExtension ? 4 * packet.readUInt16BE(sources + 2) : 0 }
}

/**
 * Reads a packet whose header extension and payload may have been decrypted.
 * @param body the bytes after the head: the body of the header extension, the payload, the padding
 * @returns undefined if the lengths do not fit
 */
export function readRtp(packet: Buffer, { extension }: Layout, body: Buffer): Rtp | undefined {
  const hasPadding = (packet.readUInt8(0) & 0x20) !== 0
  const padding = hasPadding ? (body.at(-1) ?? 0) : 0
  if (hasPadding && padding === 0) return undefined
  if (extension + padding > body.length) return undefined
  const second = packet.readUInt8(1)
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: body.subarray(extension, body.length - padding),
  }
}

/** Reads a packet that is not encrypted. */
export function parseRtp(packet: Buffer): Rtp | undefined {
  const layout = layoutOf(packet)
  return layout && readRtp(packet, layout, packet.subarray(layout.head))
}

/** The fixed header of a packet; without extension, sources and padding. */
export function rtpHeader({ marker, payloadType, sequence, timestamp, ssrc }: Omit<Rtp, 'payload'>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(VERSION << 6, 0)
  header.writeUInt8((marker ? 0x80 : 0) | payloadType, 1)
  header.writeUInt16BE(sequence, 2)
  header.writeUInt32BE(timestamp, 4)
  header.writeUInt32BE(ssrc, 8)
  return header
}
