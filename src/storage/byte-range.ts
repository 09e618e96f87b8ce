/** A range of bytes, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads a Range header. `whole`: there is no header, it is malformed, or it asks for several ranges, which S3 does not
 * serve either. Source: RFC 9110 §14.1.2, §14.2.
 * @param size bytes of the object
 */
export function readRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
