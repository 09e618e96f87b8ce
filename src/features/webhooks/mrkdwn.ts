/**
 * Slack's markup: `&amp;`, `&lt;` and `&gt;` stand for their characters, and what stands in `<…>` for links, people,
 * channels and times. Source: https://docs.slack.dev/messaging/formatting-message-text
 */

/** In it no mark means anything. */
const CODE = /(```[^]*?```|`[^`\n]*`)/
const ANGLE = /<([^<>\n]{1,3000})>/g
const EVERYONE = new Set(['channel', 'everyone'])

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** A label of a link: brackets would end it. */
const labelOf = (label: string): string =>
  unescaped(label)
    .replaceAll(/[[\]\n]/g, ' ')
    .slice(0, 250)

function angled(inside: string, links: boolean): string {
  const [target = '', label] = inside.split('|', 2)
  if (target.startsWith('!')) {
    const [command = '', ...rest] = target.slice(1).split('^')
    if (command === 'here') return '@here'
    if (EVERYONE.has(command)) return '@everyone'
    if (command === 'date') return unescaped(label ?? dateOf(rest[0] ?? ''))
    return unescaped(label ?? `@${command}`)
  }
  if (target.startsWith('@')) return `@${unescaped(label ?? target.slice(1))}`
  if (target.startsWith('#')) return `#${unescaped(label ?? target.slice(1))}`
  const url = unescaped(target)
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return unescaped(label ?? target)
  if (!links) return unescaped(label ?? url)
  // An address as the label of another misleads: the web client shows neither as a link.
  return label === undefined || label.trim() === '' || /^https?:/i.test(label) ? url : `[${labelOf(label)}](<${url}>)`
}

const dateOf = (seconds: string): string =>
  /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1000).toISOString() : seconds

/** Where a mark may stand: not within a word. */
const mark = (sign: string) => {
  const word = `[\\p{L}\\p{N}${sign}]`
  return new RegExp(
    `(^|(?!${word}).)[${sign}](?![\\s${sign}])([^${sign}\\n]{1,2000}?)(?<!\\s)[${sign}](?!${word})`,
    'gmsu',
  )
}
const BOLD = mark('*')
const STRIKE = mark('~')

/** Slack's markup as Markdown. */
export const markdownOf = (text: string): string =>
  text
    .split(CODE)
    .map((piece, at) => {
      if (at % 2 === 1) return unescaped(piece)
      const marked = piece.replaceAll(BOLD, '$1**$2**').replaceAll(STRIKE, '$1~~$2~~')
      return marked
        .split(ANGLE)
        .map((part, place) => (place % 2 === 1 ? angled(part, true) : unescaped(part)))
        .join('')
    })
    .join('')

/** Slack's markup as plain text, without marks of its own: for titles. */
export const plainOf = (text: string): string =>
  text
    .split(ANGLE)
    .map((part, place) => (place % 2 === 1 ? angled(part, false) : unescaped(part)))
    .join('')

/** Whether a message of Slack calls everyone on purpose: by `<!here>`, `<!channel>` or `<!everyone>`, not in code. */
export const callsEveryone = (text: string): boolean =>
  text.split(CODE).some((piece, at) => at % 2 === 0 && /<!(?:here|channel|everyone)(?:\|[^<>\n]{0,100})?>/.test(piece))
