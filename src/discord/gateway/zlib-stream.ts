import { constants, deflateRawSync } from 'node:zlib'

/**
 * Compression as discord.py asks for it (`zlib-stream`): all frames of a connection form one zlib stream, and each ends
 * with an empty block. Each frame is compressed by itself, without looking back at earlier ones, so that a connection
 * keeps no window of 32 KiB in memory.
 */

/** RFC 1950 §2.2: deflate with a window of 32 KiB, default compression. */
const HEAD = Buffer.from([0x78, 0x9c])
/** Shorter frames are stored, because compressing them costs more than it saves. */
const COMPRESSED_MIN = 512
const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff])
/** RFC 1951 §3.2.4: bytes in a stored block. */
const STORED_MAX = 65_535

function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(STORED_MAX - bytes.length, 3)
  return Buffer.concat([head, bytes, EMPTY_BLOCK])
}

/** Compresses the next frame of a connection. @param isFirst true for the first frame, which begins the stream */
export function zlibFrame(text: string, isFirst: boolean): Buffer {
  const bytes = Buffer.from(text)
  const block =
    bytes.length < COMPRESSED_MIN ? stored(bytes) : deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  return isFirst ? Buffer.concat([HEAD, block]) : block
}
