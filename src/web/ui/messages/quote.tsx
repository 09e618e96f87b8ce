import { type Signal, signal } from '@preact/signals'
import type { Message } from '../../../features/messages/model.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { words } from '../../words/words.ts'
import { AuthorPicture } from '../kit/controls.tsx'
import { plainLine, sayingOf } from '../../state/plain-line.ts'
import { seek } from './scroll.ts'

const KEPT_MAX = 300
/** Messages that are replied to and are not in the timeline; null if deleted. */
const cache = new Map<number, Signal<Message | null | undefined>>()

function messageOf(place: ChannelPlace, id: number): Message | null | undefined {
  if (id < (state.channels.get(place.channel_id)?.pruned_before_id ?? 0)) return null
  const entry = state.timelines.get(placeKey(place))?.entries.find((candidate) => candidate.id === id)
  if (entry) return entry
  const cached = cache.get(id)
  if (cached) return cached.value
  const message = signal<Message | null | undefined>(undefined)
  if (cache.size >= KEPT_MAX) cache.clear()
  cache.set(id, message)
  void call('GET /api/messages/:message_id', { message_id: id }).then(
    (answer) => (message.value = answer),
    () => (message.value = null),
  )
  return message.value
}

/** A message in one line: what it says, else the number of its files; a placeholder if it is collapsed. */
export const gistOf = (message: Message): string =>
  state.isFolded(message.channel_id, message.author.id)
    ? words.messages.fromBlocked
    : plainLine(sayingOf(message)) || words.files.count(message.files.length)

interface QuoteProps {
  place: ChannelPlace
  id: number
  onShow?: () => void
}

/** The original of a reply, or the message at which a thread began, in one line; a click shows it. */
export const Quote = ({ place, id, onShow = () => seek(place, id) }: QuoteProps) => {
  follow('members', 'shell', `timeline ${placeKey(place)}`)
  const message = messageOf(place, id)
  if (message === null) return <p class="quoted quiet">{words.messages.gone}</p>
  return (
    <button type="button" class="quoted" onClick={onShow}>
      {message ? (
        <>
          <AuthorPicture entry={message} size={16} />
          <bdi>{nameOf(message.author.id, message.member?.nickname ?? message.author.display_name)}</bdi>
          <span dir="auto">{gistOf(message)}</span>
        </>
      ) : (
        words.loading
      )}
    </button>
  )
}
