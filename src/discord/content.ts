import type { Kind, Lookup } from './lookup.ts'

/**
 * Ids within the text of a message: `<@42>`, `<@&7>`, `<#3>` and `<:kingfisher:9>` name Parley's ids in Parley, and
 * snowflakes on Discord. Parley reads ids of at most 15 digits there and Discord's have more, so no text means two
 * things.
 */
const OWN = /<(@&|@!?|#|a?:\w{2,32}:)(\d{1,15})>/g
const DISCORD = /<(@&|@!?|#|a?:\w{2,32}:)(\d{16,19})>/g
/** Ids translated in one text; the rest stays. */
const IDS_MAX = 200

const kindOf = (sign: string): Kind =>
  sign === '@&' ? 'role' : sign.startsWith('@') ? 'user' : sign === '#' ? 'channel' : 'emoji'

/** A text of Parley as Discord would write it. */
export function discordText(text: string, of: Lookup): string {
  if (!text.includes('<')) return text
  let count = 0
  return text.replace(OWN, (all, sign: string, digits: string) =>
    ++count > IDS_MAX ? all : `<${sign}${of.id(kindOf(sign), Number(digits))}>`,
  )
}

/** The snowflakes in a text of Discord, each with the kind of what it names. */
export const idsIn = (text: string): { kind: Kind; snowflake: string }[] =>
  [...text.matchAll(DISCORD)]
    .slice(0, IDS_MAX)
    .map(([, sign = '', digits = '']) => ({ kind: kindOf(sign), snowflake: digits }))

/**
 * A text of Discord as Parley writes it. Emoji lose the mark of an animated one, people that of a nickname.
 * @param idOf the id of a row; undefined if there is none, which leaves the text as it is
 */
export const parleyText = (text: string, idOf: (kind: Kind, snowflake: string) => number | undefined): string =>
  text.replace(DISCORD, (all, sign: string, digits: string) => {
    const id = idOf(kindOf(sign), digits)
    if (id === undefined) return all
    return `<${sign.replace('@!', '@').replace(/^a:/, ':').toLowerCase()}${id}>`
  })
