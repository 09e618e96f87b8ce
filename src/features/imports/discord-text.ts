import { cleanText } from './names.ts'
import type { ExportedEmoji, ExportedUser } from './discord-format.ts'

/** Maps Discord's ids to this server's; undefined for what the import did not create. */
export interface Places {
  /** The account of a person by id. An account that posts under many names is looked up by name as well. */
  account(id: string, name?: string): number | undefined
  role(id: string): number | undefined
  channel(id: string): number | undefined
  /** `name:id` of a custom emoji. */
  emoji(id: string): string | undefined
  sticker(id: string): number | undefined
}

export const nameOf = ({ nickname, name }: Pick<ExportedUser, 'nickname' | 'name'>): string => nickname || name

/** Discord's tokens: people, roles, channels, emoji, times and commands. */
const TOKEN = new RegExp(
  [
    /<@!?(?<person>\d{1,19})>/,
    /<@&(?<role>\d{1,19})>/,
    /<#(?<channel>\d{1,19})>/,
    /<a?:(?<name>\w{1,64}):(?<emoji>\d{1,19})>/,
    /<t:(?<time>-?\d{1,12})(?::[A-Za-z])?>/,
    /<\/(?<command>[^:<>\n]{1,100}):\d{1,19}>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

interface Translation {
  text: string
  /** The accounts that the text mentions. */
  people: Set<number>
}

/**
 * Rewrites a text for this server. Objects that the import did not create are replaced by their names, so that a
 * Discord id is never mistaken for an id of this server. If an export has names instead of ids, the ids are restored.
 */
export function translate(
  text: string,
  { mentions, inlineEmojis }: { mentions: ExportedUser[]; inlineEmojis: ExportedEmoji[] },
  places: Places,
): Translation {
  const people = new Set<number>()
  const tokenIds = new Set<string>()
  let result = cleanText(text).replaceAll(TOKEN, (token: string, ...rest: unknown[]) => {
    // The last argument is the object of named groups.
    const { person, role, channel, name, emoji, time, command } = rest.at(-1) as Record<string, string | undefined>
    if (person !== undefined) {
      tokenIds.add(person)
      const account = places.account(person)
      if (account === undefined) return `@${plainName(mentions.find(({ id }) => id === person))}`
      people.add(account)
      return `<@${account}>`
    }
    if (role !== undefined) return tokenOr(places.role(role), (id) => `<@&${id}>`, '@unknown')
    if (channel !== undefined) return tokenOr(places.channel(channel), (id) => `<#${id}>`, '#unknown')
    if (emoji !== undefined) {
      tokenIds.add(emoji)
      return tokenOr(places.emoji(emoji), (emojiName) => `<:${emojiName}>`, `:${name}:`)
    }
    if (time !== undefined) return timeInWords(Number(time), token)
    return `/${command}`
  })
  for (const { id, name } of inlineEmojis) {
    const emoji = id && !tokenIds.has(id) ? places.emoji(id) : undefined
    if (emoji !== undefined) result = result.replaceAll(`:${name}:`, () => `<:${emoji}>`)
  }
  const otherMentions = mentions.filter(({ id }) => !tokenIds.has(id))
  for (const user of otherMentions.toSorted((a, b) => nameOf(b).length - nameOf(a).length)) {
    const account = places.account(user.id)
    if (account === undefined) continue
    people.add(account)
    const name = cleanText(nameOf(user))
    if (name !== '') result = result.replaceAll(`@${name}`, () => `<@${account}>`)
  }
  return { text: result, people }
}

const tokenOr = <T>(value: T | undefined, token: (value: T) => string, otherwise: string): string =>
  value === undefined ? otherwise : token(value)

const plainName = (user: ExportedUser | undefined): string => (user ? cleanText(nameOf(user)) : 'unknown')

/** A Discord timestamp in words, in UTC. The token has seconds since 1970. */
function timeInWords(seconds: number, token: string): string {
  const time = new Date(seconds * 1000)
  if (Number.isNaN(time.getTime())) return token
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
