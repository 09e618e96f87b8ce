/** IFD0's tag for the orientation. Source: CIPA DC-008 (Exif 3.0), 4.6.5. */
const ORIENTATION = 0x0112
const SHORT = 3
const UPRIGHT = 1
const ENTRIES_MAX = 1000

/** The orientation in a TIFF structure: 2 to 8; 1 if upright or unreadable. @param tiff from its byte order on */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return UPRIGHT
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (u16(2) !== 42 || directory + 2 > tiff.length) return UPRIGHT
  const count = Math.min(u16(directory), ENTRIES_MAX)
  for (let entry = directory + 2; entry < directory + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12) {
    if (u16(entry) !== ORIENTATION || u16(entry + 2) !== SHORT) continue
    const value = u16(entry + 8)
    return value >= 2 && value <= 8 ? value : UPRIGHT
  }
  return UPRIGHT
}

/** A TIFF structure with only the orientation; undefined for an upright picture. */
export function onlyOrientation(orientation: number): Buffer | undefined {
  if (orientation === UPRIGHT) return undefined
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
