import { signal } from '@preact/signals'
import { customEmojiId, unicodeEmoji } from '../../core/emoji.ts'
import type { Channel } from '../../features/access/model.ts'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import { call, loader, state } from './session.ts'
import { onDevice } from './stored.ts'

const RECENT = 'parley.emoji.recent'
const TONE = 'parley.emoji.tone'
const RECENT_MAX = 27
/** Suggestions until the account has used an emoji. */
const USUAL = ['👍', '❤️', '😂', '🎉', '😮', '😢']
/** Messages per request for emoji. */
const ASKED_AT_ONCE = 100
const KEPT_MAX = 1_000

/** The emoji used last, the newest first: of Unicode, or `name:id` of custom ones. */
export const recentEmoji = signal<string[]>((onDevice.getItem(RECENT) ?? '').split(' ').filter((one) => isUsable(one)))
/** 0 for none, 1 to 5 from light to dark. */
export const skinTone = signal(Number(onDevice.getItem(TONE)) || 0)

function isUsable(emoji: string): boolean {
  return unicodeEmoji(emoji) !== undefined || customEmojiId(emoji) !== undefined
}

export function noteUse(emoji: string): void {
  recentEmoji.value = [emoji, ...recentEmoji.value.filter((one) => one !== emoji)].slice(0, RECENT_MAX)
  onDevice.setItem(RECENT, recentEmoji.value.join(' '))
}

export function chooseTone(tone: number): void {
  skinTone.value = tone
  onDevice.setItem(TONE, String(tone))
}

/** The emoji that the account uses most lately and may use in the channel. */
export const quickEmoji = (channel: Channel | undefined, max: number): string[] =>
  [...new Set([...recentEmoji.value, ...USUAL])]
    .filter((one) => {
      const id = customEmojiId(one)
      // It may be of a server that is not open.
      if (id !== undefined && !state.emoji.has(id)) void loader.openAll()
      return id === undefined || customEmojiIn(channel).some((emoji) => emoji.id === id)
    })
    .slice(0, max)

/** The custom emoji that the account may use in a channel: its server's first, then those of other servers. */
export function customEmojiIn(channel: Channel | undefined): CustomEmoji[] {
  const all = [...state.emoji.values()]
  const ofServer = all.filter(({ server_id }) => server_id === channel?.server_id)
  const mayUseOthers = channel !== undefined && state.mayIn(channel, 'use_external_emoji')
  return mayUseOthers ? [...ofServer, ...all.filter((emoji) => !ofServer.includes(emoji))] : ofServer
}

export const tokenOf = ({ name, id }: CustomEmoji): string => `${name}:${id}`

const CODE_OR_NAME = /(`+)[\s\S]+?\1(?!`)|<:[a-z0-9_]{2,32}:\d{1,15}>|\bhttps?:\/\/\S+|:([a-z0-9_+-]{2,32}):/g

/**
 * The text to send: `:name:` of an allowed custom emoji becomes `<:name:id>`, except in code and addresses.
 * @param emojiOf looks up an emoji of Unicode, for names that do not follow a letter or digit
 */
export function withTokens(
  text: string,
  channel: Channel | undefined,
  emojiOf: (name: string) => string | undefined = () => undefined,
): string {
  if (!text.includes(':')) return text
  const byName = new Map(
    customEmojiIn(channel)
      .toReversed()
      .map((emoji) => [emoji.name, emoji]),
  )
  return text.replace(CODE_OR_NAME, (whole, _code, name: string | undefined, at: number) => {
    if (name === undefined) return whole
    const emoji = byName.get(name)
    return emoji ? `<:${tokenOf(emoji)}>` : ((/\w/.test(text.charAt(at - 1)) ? undefined : emojiOf(name)) ?? whole)
  })
}

/** Emoji of other servers in a message: their URLs by id, and the requested ids. */
interface Used {
  urls: Map<number, string>
  askedIds: Set<number>
}

const usedByMessage = new Map<number, Used>()
const version = signal(0)
let asking: Set<number> | undefined

/** Fetches a message's emoji, once per emoji: reactions may add more later. */
function ask(messageId: number, id: number): void {
  if (usedByMessage.size >= KEPT_MAX) usedByMessage.clear()
  const entry = usedByMessage.get(messageId) ?? { urls: new Map(), askedIds: new Set() }
  usedByMessage.set(messageId, entry)
  if (entry.askedIds.has(id)) return
  entry.askedIds.add(id)
  if (asking && asking.size < ASKED_AT_ONCE) return void asking.add(messageId)
  const batch = new Set([messageId])
  asking = batch
  setTimeout(async () => {
    if (asking === batch) asking = undefined
    const rows = await call('POST /api/emoji/used', {}, { message_ids: [...batch] }).catch(() => [])
    for (const row of rows) usedByMessage.get(row.message_id)?.urls.set(row.id, row.url)
    version.value++
  })
}

/** The message that shows an emoji. */
export interface ShownIn {
  message_id: number
  server_id: number | null
}

/**
 * The picture of a custom emoji.
 * @param place the message; absent if the account chooses among its own emoji
 * @returns undefined while it is being fetched, and if the author may not use it there
 */
export function pictureOf(id: number, place?: ShownIn): string | undefined {
  const emoji = state.emoji.get(id)
  if (emoji && (!place || emoji.server_id === place.server_id)) return emoji.url
  if (!place) return undefined
  void version.value
  const url = usedByMessage.get(place.message_id)?.urls.get(id)
  if (url === undefined) ask(place.message_id, id)
  return url
}
