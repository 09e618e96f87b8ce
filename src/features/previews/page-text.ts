import { codePoints, isStreamSafe } from '../../core/schema.ts'
import { isVisible } from '../../core/visible.ts'

/** Leading bytes of a page that may declare its character set (WHATWG HTML, "prescan a byte stream"). */
const SNIFF_BYTES = 1024
const BYTE_ORDER_MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]
/** Bytes per step of decoding; the event loop runs between steps. */
const STEP_BYTES = 16 * 1024

/**
 * Decodes a page: by its byte order mark, else the header, else its own declaration.
 * @param charset of the Content-Type header
 */
export async function* decodePage(body: AsyncIterable<Buffer>, charset: string | undefined): AsyncGenerator<string> {
  let beginning: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  for await (const part of body) {
    let bytes = part
    if (beginning) {
      beginning = Buffer.concat([beginning, part])
      if (beginning.length < SNIFF_BYTES) continue
      bytes = beginning
      beginning = undefined
    }
    decoder ??= decoderOf(bytes, charset)
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      yield decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true })
  }
  decoder ??= decoderOf(beginning ?? Buffer.alloc(0), charset)
  yield decoder.decode(beginning)
}

function decoderOf(beginning: Buffer, charset: string | undefined): TextDecoder {
  const [, markCharset] = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => beginning[at] === byte)) ?? []
  const charsetName = markCharset ?? charset
  const decoder = (charsetName && decoderNamed(charsetName)) || decoderNamed(declaredIn(beginning))
  if (decoder) return decoder
  return new TextDecoder(isUtf8(beginning) ? 'utf-8' : 'windows-1252')
}

/** The character set that a page declares in a `meta` element. A UTF-16 page cannot be read up to there. */
function declaredIn(beginning: Buffer): string {
  const text = beginning.toString('latin1', 0, SNIFF_BYTES)
  const [, name = ''] = /<meta[^>]*?charset\s*=[\s"']*([\w:.-]{1,40})/i.exec(text) ?? []
  return /^utf-?16/i.test(name) ? 'utf-8' : name
}

function decoderNamed(name: string): TextDecoder | undefined {
  try {
    return name === '' ? undefined : new TextDecoder(name)
  } catch {
    return undefined
  }
}

function isUtf8(beginning: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Control characters and direction marks, which could disguise the end of a title. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/**
 * A page's text as one line, safe to show. The length is bounded before anything else.
 * @param max code points; a longer text ends with an ellipsis
 */
export function tidyText(raw: string, max: number): string | null {
  const line = raw
    .slice(0, 4 * max)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  const text = (isStreamSafe(line) ? line : line.replace(/\p{M}+/gu, '')).normalize('NFC')
  if (!isVisible(text)) return null
  return codePoints(text) <= max
    ? text
    : `${[...text]
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}
