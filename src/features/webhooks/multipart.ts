import { Problem } from '../../core/errors.ts'

/** Files and other fields together. */
const PARTS_MAX = 30
const HEADER_BYTES_MAX = 2048
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i

/** A part of a form; its bytes are a view of the body. */
export interface FormPart {
  name: string
  /** Undefined for a field. */
  filename: string | undefined
  type: string
  bytes: Uint8Array
}

const broken = (why: string) => new Problem('bad_request', `The form cannot be read: ${why}`)

/**
 * Parses multipart/form-data (RFC 7578) without copying its content.
 * @throws Problem `bad_request` for an invalid form, or one with too many parts
 */
export function parseForm(body: Uint8Array, content_type: string): FormPart[] {
  const [, quoted, plain] = BOUNDARY.exec(content_type.slice(0, 500)) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw broken('it names no boundary')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: FormPart[] = []
  // The first delimiter may begin the body; RFC 2046 §5.1.1 also allows a preamble before it.
  const first = delimiter.subarray(2)
  let at = bytes.subarray(0, first.length).equals(first) ? first.length : bytes.indexOf(delimiter) + delimiter.length
  if (at < delimiter.length && at !== first.length) throw broken('its boundary is missing')
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    if (bytes.toString('latin1', at, at + 2) !== '\r\n') throw broken('a boundary does not end its line')
    const head_end = bytes.subarray(at, at + HEADER_BYTES_MAX).indexOf('\r\n\r\n')
    if (head_end < 0) throw broken('the headers of a part are too long')
    const start = at + head_end + 4
    // An empty part has the delimiter directly after its headers.
    const end = bytes.indexOf(delimiter, start - 2)
    if (end < 0) throw broken('it is cut short')
    if (parts.length === PARTS_MAX) throw broken(`it has more than ${PARTS_MAX} parts`)
    parts.push(partOf(bytes.toString('utf8', at + 2, at + head_end), bytes.subarray(start, Math.max(start, end))))
    at = end + delimiter.length
  }
  return parts
}

function partOf(head: string, bytes: Uint8Array): FormPart {
  const headers = new Map(
    head.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const named = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
    // Browsers escape a quote as %22, others as \".
    return quoted?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain
  }
  const name = named('name')
  if (name === undefined) throw broken('a part has no name')
  return { name, filename: named('filename'), type: headers.get('content-type') ?? '', bytes }
}
