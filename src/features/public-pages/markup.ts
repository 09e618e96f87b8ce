/** HTML or XML that is already escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | false | null | Part[]

/** Characters that XML 1.0 §2.2 forbids; HTML does not need them either. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for an element or a quoted attribute, in HTML and XML. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (Array.isArray(part)) return part.map(textOf).join('')
  return part instanceof Markup ? part.text : escaped(String(part))
}

/** A template of HTML or XML: every value is escaped, unless it is Markup. */
export const markup = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.map((text, at) => text + textOf(parts[at])).join(''))

/** JSON for a script element: nothing in it can end the element. Source: HTML §4.12.1.3. */
export const jsonInScript = (value: unknown): Markup =>
  new Markup(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
