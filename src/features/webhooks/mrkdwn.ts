/**
 * Slack's markup: `&amp;`, `&lt;` and `&gt;` are escapes, and `<…>` contains links, people, channels and times. Source:
 * https://docs.slack.dev/messaging/formatting-message-text
 */

/** Within code, markup has no meaning. */
const CODE = /(```[^]*?```|`[^`\n]*`)/
const ANGLE = /<([^<>\n]{1,3000})>/g
const EVERYONE = new Set(['channel', 'everyone'])

const unescapeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The label of a link, without brackets, which would end it. */
const labelOf = (label: string): string =>
  unescapeEntities(label)
    .replaceAll(/[[\]\n]/g, ' ')
    .slice(0, 250)

function convertAngled(content: string, hasLinks: boolean): string {
  const [target = '', label] = content.split('|', 2)
  if (target.startsWith('!')) {
    const [command = '', ...rest] = target.slice(1).split('^')
    if (command === 'here') return '@here'
    if (EVERYONE.has(command)) return '@everyone'
    if (command === 'date') return unescapeEntities(label ?? dateOf(rest[0] ?? ''))
    return unescapeEntities(label ?? `@${command}`)
  }
  if (target.startsWith('@')) return `@${unescapeEntities(label ?? target.slice(1))}`
  if (target.startsWith('#')) return `#${unescapeEntities(label ?? target.slice(1))}`
  const url = unescapeEntities(target)
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return unescapeEntities(label ?? target)
  if (!hasLinks) return unescapeEntities(label ?? url)
  // Do not use an address as the label of another one: that misleads, and the web client shows neither as a link.
  return label === undefined || label.trim() === '' || /^https?:/i.test(label) ? url : `[${labelOf(label)}](<${url}>)`
}

const dateOf = (seconds: string): string =>
  /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1000).toISOString() : seconds

/** Matches a mark at a word boundary. */
const markPattern = (sign: string) => {
  const word = `[\\p{L}\\p{N}${sign}]`
  return new RegExp(
    `(^|(?!${word}).)[${sign}](?![\\s${sign}])([^${sign}\\n]{1,2000}?)(?<!\\s)[${sign}](?!${word})`,
    'gmsu',
  )
}
const BOLD = markPattern('*')
const STRIKE = markPattern('~')

/** Converts Slack's markup to Markdown. */
export const markdownOf = (text: string): string =>
  text
    .split(CODE)
    .map((piece, at) => {
      if (at % 2 === 1) return unescapeEntities(piece)
      const markdown = piece.replaceAll(BOLD, '$1**$2**').replaceAll(STRIKE, '$1~~$2~~')
      return markdown
        .split(ANGLE)
        .map((part, place) => (place % 2 === 1 ? convertAngled(part, true) : unescapeEntities(part)))
        .join('')
    })
    .join('')

/** Converts Slack's markup to plain text, for titles. */
export const plainOf = (text: string): string =>
  text
    .split(ANGLE)
    .map((part, place) => (place % 2 === 1 ? convertAngled(part, false) : unescapeEntities(part)))
    .join('')

/** True if a Slack message deliberately mentions everyone: by `<!here>`, `<!channel>` or `<!everyone>` outside code. */
export const callsEveryone = (text: string): boolean =>
  text.split(CODE).some((piece, at) => at % 2 === 0 && /<!(?:here|channel|everyone)(?:\|[^<>\n]{0,100})?>/.test(piece))
