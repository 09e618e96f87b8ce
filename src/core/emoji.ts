/** The longest emoji of Unicode has 35 UTF-16 units; `name:id` of a custom one has at most 49. */
export const EMOJI_UNITS_MAX = 64
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/g
/** Characters shown as text unless U+FE0F or a skin tone follows. */
const TEXT_BY_DEFAULT = /[\p{Emoji}--\p{Emoji_Presentation}](?!\p{Emoji_Modifier})/gv
/** An emoji that Unicode recommends for general interchange. Source: UTS #51, ED-27. */
const RGI_EMOJI = /^\p{RGI_Emoji}$/v
const CUSTOM = /^[a-z0-9_]{2,32}:([1-9]\d{0,15})$/

/**
 * Returns the fully-qualified form of a Unicode emoji, whichever variation selectors it has; undefined for anything
 * else.
 */
export function unicodeEmoji(text: string): string | undefined {
  if (text.length > EMOJI_UNITS_MAX) return undefined
  const qualifiedEmoji = text.normalize('NFC').replace(VARIATION_SELECTORS, '').replace(TEXT_BY_DEFAULT, '$&\uFE0F')
  return RGI_EMOJI.test(qualifiedEmoji) ? qualifiedEmoji : undefined
}

/** The id of a custom emoji that is written as `name:id`; undefined for anything else. */
export function customEmojiId(text: string): number | undefined {
  const id = text.length > EMOJI_UNITS_MAX ? Number.NaN : Number(CUSTOM.exec(text)?.[1])
  return Number.isSafeInteger(id) ? id : undefined
}
