import { type Place, placeKey } from '../client/outbox.ts'
import type { ChannelPlace } from './place.ts'
import { type Composition, emptyComposition, isComposition } from './mentions.ts'
import { state } from './session.ts'

const PREFIX = 'parley.unsent.'

const keyOf = (place: Place): string => `${PREFIX}${state.me()}.${placeKey(place)}`

/** The key of earlier versions, which knew a dm by its other one. */
function earlierKeyOf({ channel_id }: ChannelPlace): string {
  const channel = state.channels.get(channel_id)
  return keyOf({ user_id: (channel && state.partnerOf(channel)) ?? 0 })
}

/** The text that was being written in a place; it outlives the page. */
export function unsentOf(place: ChannelPlace): Composition {
  try {
    const text = localStorage.getItem(keyOf(place)) ?? localStorage.getItem(earlierKeyOf(place))
    const kept: unknown = JSON.parse(text ?? 'null')
    return isComposition(kept) ? kept : emptyComposition
  } catch {
    return emptyComposition
  }
}

export function keepUnsent(place: ChannelPlace, composition: Composition): void {
  try {
    localStorage.removeItem(earlierKeyOf(place))
    if (composition.text === '') localStorage.removeItem(keyOf(place))
    else localStorage.setItem(keyOf(place), JSON.stringify(composition))
  } catch {
    // The storage is full: the text lasts as long as the page.
  }
}
