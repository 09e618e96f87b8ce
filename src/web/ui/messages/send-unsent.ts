import type { Channel } from '../../../features/access/model.ts'
import { type Composition, contentOf, emptyComposition } from '../../state/mentions.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { outbox } from '../../state/session.ts'
import { withTextCommand } from '../../state/text-commands.ts'
import { keepUnsent, type ReplyTarget } from '../../state/unsent.ts'
import { withEmoji } from '../emoji/written-names.ts'
import { answer } from './current-message.ts'

/** Removes white space at the end and blank lines at the beginning; the first line keeps its indentation. */
const withoutBlankEnds = (text: string): string => text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '')

/** The content of the message that somebody has written. */
export const contentToSend = (value: Composition, channel: Channel): string =>
  withTextCommand(withoutBlankEnds(withEmoji(contentOf(value), channel)))

export interface Said {
  content: string
  file_ids: number[]
  reply: ReplyTarget | undefined
}

/** The draft of a message for a request. */
export const draftOf = ({ content, file_ids, reply }: Said) => ({
  content,
  file_ids,
  reply_to_id: reply?.isGone ? null : (reply?.id ?? null),
  ...(reply?.isQuiet ? { reply_mention: false } : {}),
})

/** Sends the draft of a place, and empties it. */
export function sendUnsent(place: ChannelPlace, message: Said): void {
  outbox.send(place, draftOf(message))
  answer(place, undefined)
  keepUnsent(place, { value: emptyComposition, reply: undefined })
}
