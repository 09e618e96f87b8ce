import { type Place, placeKey } from '../client/outbox.ts'
import { type Composition, emptyComposition, isComposition } from './mentions.ts'
import { state } from './session.ts'

const PREFIX = 'parley.unsent.'

const keyOf = (place: Place): string => `${PREFIX}${state.me()}.${placeKey(place)}`

/** The text that was being written in a place; it outlives the page. */
export function unsentOf(place: Place): Composition {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null')
    return isComposition(kept) ? kept : emptyComposition
  } catch {
    return emptyComposition
  }
}

export function keepUnsent(place: Place, composition: Composition): void {
  try {
    if (composition.text === '') localStorage.removeItem(keyOf(place))
    else localStorage.setItem(keyOf(place), JSON.stringify(composition))
  } catch {
    // The storage is full: the text lasts as long as the page.
  }
}
