/**
 * Some libraries write snowflakes as numbers. JavaScript keeps 53 bits of a number, so integers of 17 digits and more
 * become texts before the JSON is parsed. Each match is a whole string, which stays, or a long integer. An unterminated
 * string is matched to the end of the text: each of its quotes would otherwise begin another search to the end, which
 * takes quadratic time.
 */
const STRING_OR_LONG = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|(?<![\d.eE+-])\d{17,20}(?![\d.eE])/g
const MAYBE_LONG = /\d{17}/

/** JSON with its long integers as strings. */
export function withWholeIds(json: Uint8Array): Uint8Array {
  // Latin-1 keeps each byte, also of texts in UTF-8.
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('latin1')
  if (!MAYBE_LONG.test(text)) return json
  return Buffer.from(
    text.replace(STRING_OR_LONG, (match) => (match.startsWith('"') ? match : `"${match}"`)),
    'latin1',
  )
}
