import { signal } from '@preact/signals'
import type { Channel } from '../../../features/access/model.ts'
import { withTokens } from '../../state/emoji.ts'
import { type Composition, withMention } from '../../state/mentions.ts'
import { nameOfEmoji } from './emoji.tsx'

const NAME = /:[a-z0-9_+-]{2,32}:/
/** A name that has just been completed before the caret. Within a word or an address a colon begins none. */
const COMPLETED = /(?<![\w/:]):([a-z0-9_+-]{2,32}):$/

/** The emoji of Unicode by name, once they are loaded; none if that failed. They are many. */
const emojiByName = signal<((name: string) => string | undefined) | undefined>(undefined)
let loading: Promise<void> | undefined

/** Loads the names if the text may contain one. */
export async function namesFor(text: string): Promise<void> {
  if (!lacksNames(text)) return
  loading ??= import('./known-emoji.ts').then(
    ({ emojiNamed }) => void (emojiByName.value = emojiNamed),
    () => void (emojiByName.value = () => undefined),
  )
  await loading
}

/** Loads the emoji's names in the language of the page. They keep their English names if that fails. */
export const nameInLanguage = (): Promise<void> =>
  import('./emoji-names.ts').then(
    ({ nameEmoji }) => nameEmoji(),
    () => {},
  )

/** True if the names have to be loaded before the text is sent. */
export const lacksNames = (text: string): boolean => emojiByName.value === undefined && NAME.test(text)

/** The text to send: every `:name:` of an emoji becomes the emoji, except in code and addresses. */
export const withEmoji = (text: string, channel: Channel | undefined): string =>
  withTokens(text, channel, emojiByName.value)

/**
 * Replaces a part of a text by an emoji and a space. A custom emoji becomes a token, so that its id is kept.
 * @param emoji of Unicode, or `name:id` of a custom one
 * @returns the text, and the position of the caret
 */
export function composeEmoji(value: Composition, start: number, end: number, emoji: string) {
  const name = nameOfEmoji(emoji)
  return name === emoji
    ? withMention(value, start, end, undefined, emoji)
    : withMention(value, start, end, `<:${emoji}>`, `:${name}:`)
}

/**
 * The emoji of Unicode whose `:name:` ends at the caret, and the start of the name; undefined for a custom emoji, whose
 * name stays text until it is sent.
 */
export function completedAt(text: string, caret: number): { emoji: string; start: number } | undefined {
  const match = COMPLETED.exec(text.slice(0, caret))
  const emoji = match?.[1] === undefined ? undefined : emojiByName.value?.(match[1])
  return match && emoji !== undefined ? { emoji, start: match.index } : undefined
}
