import { Problem } from './errors.ts'

/** Nesting allowed; no body of the API is that deep. */
const JSON_DEPTH_MAX = 16
/** Values allowed; no body of the API needs that many, and each costs time to validate. */
const JSON_VALUES_MAX = 4_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a request's bytes as JSON: strict UTF-8, no duplicate keys, at most JSON_DEPTH_MAX levels. Duplicate keys are
 * refused because two parsers may pick different values (RFC 8259 §4).
 * @param valuesMax values allowed
 * @throws Problem `malformed_json`
 */
export function parseJson(bytes: Uint8Array, valuesMax = JSON_VALUES_MAX): unknown {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new Problem('malformed_json')
  }
  const fault = structureFault(text, valuesMax)
  if (fault) throw new Problem('malformed_json', fault)
  return value
}

/**
 * Walks text that JSON.parse has accepted.
 * @returns a structural fault, or undefined
 */
function structureFault(text: string, valuesMax: number): string | undefined {
  const keys: (Set<string> | undefined)[] = []
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      keys.push(char === '{' ? new Set() : undefined)
      if (keys.length > JSON_DEPTH_MAX) return `The body is nested deeper than ${JSON_DEPTH_MAX} levels`
    } else if (char === '}' || char === ']') keys.pop()
    else if (char === ',' && ++values > valuesMax) return `The body has more than ${valuesMax} values`
    else if (char === '"') {
      const end = stringEnd(text, at)
      const objectKeys = keys.at(-1)
      if (objectKeys && isKey(text, end)) {
        const key: string = JSON.parse(text.slice(at, end))
        if (objectKeys.has(key)) return 'The body repeats a key'
        objectKeys.add(key)
      }
      at = end - 1
    }
  }
}

/** True if the string literal that ends before `at` is a key: a colon follows, after any white space. */
function isKey(text: string, at: number): boolean {
  while (' \t\n\r'.includes(text[at] ?? '-')) at++
  return text[at] === ':'
}

/** The index behind the string literal that starts at `start`. A step for each character would take much longer. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0
    while (text[quote - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return quote + 1
  }
}
