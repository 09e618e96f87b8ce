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

const invalidForm = (reason: string) => new Problem('bad_request', `The form cannot be read: ${reason}`)

/**
 * Parses multipart/form-data (RFC 7578) without copying its content.
 * @throws Problem `bad_request` for an invalid form, or one with too many parts
 */
export function parseForm(body: Uint8Array, contentType: string): FormPart[] {
  const [, quotedValue, plainValue] = BOUNDARY.exec(contentType.slice(0, 500)) ?? []
  const boundary = quotedValue ?? plainValue
  if (boundary === undefined) throw invalidForm('it names no boundary')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: FormPart[] = []
  // The first delimiter may begin the body; RFC 2046 §5.1.1 also allows a preamble before it.
  const first = delimiter.subarray(2)
  let at = bytes.subarray(0, first.length).equals(first) ? first.length : bytes.indexOf(delimiter) + delimiter.length
  if (at < delimiter.length && at !== first.length) throw invalidForm('its boundary is missing')
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    if (bytes.toString('latin1', at, at + 2) !== '\r\n') throw invalidForm('a boundary does not end its line')
    const headEnd = bytes.subarray(at, at + HEADER_BYTES_MAX).indexOf('\r\n\r\n')
    if (headEnd < 0) throw invalidForm('the headers of a part are too long')
    const start = at + headEnd + 4
    // An empty part has the delimiter directly after its headers.
    const end = bytes.indexOf(delimiter, start - 2)
    if (end < 0) throw invalidForm('it is cut short')
    if (parts.length === PARTS_MAX) throw invalidForm(`it has more than ${PARTS_MAX} parts`)
    parts.push(partOf(bytes.toString('utf8', at + 2, at + headEnd), bytes.subarray(start, Math.max(start, end))))
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
  const parameter = (name: string): string | undefined => {
    const [, quotedValue, plainValue] =
      new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
    // Browsers escape a quote as %22, others as \".
    return quotedValue?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plainValue
  }
  const name = parameter('name')
  if (name === undefined) throw invalidForm('a part has no name')
  return { name, filename: parameter('filename'), type: headers.get('content-type') ?? '', bytes }
}
