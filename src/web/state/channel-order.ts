import type { Channel } from '../../features/access/model.ts'
import { isSpoken } from './spoken.ts'
import type { ServerChannel, State } from './state.ts'

/** Target of a moved channel: its category, and its position among all channels there. */
export type Goal = Pick<Channel, 'parent_id' | 'position'>

const isNeighbour = (one: ServerChannel, other: ServerChannel): boolean =>
  one.parent_id === other.parent_id && (one.type === 'category') === (other.type === 'category')

/**
 * The target of a channel that is put before or after another one. Positions include channels that the account does not
 * see, so the other channel's position decides, not its place on the page.
 */
export function goalBeside(channel: ServerChannel, other: ServerChannel, side: 'before' | 'after'): Goal {
  const passes = isNeighbour(channel, other) && channel.position < other.position
  const { parent_id, position } = other
  return { parent_id, position: position - (passes ? 1 : 0) + (side === 'after' ? 1 : 0) }
}

/**
 * The target of a channel one step up or down on the page: past its neighbour, or into the next category.
 * @param step -1 is up
 * @returns undefined at the end of the list
 */
export function goalOfStep(state: State, channel: ServerChannel, step: -1 | 1): Goal | undefined {
  const { server_id, parent_id, type } = channel
  const categories = state.categoriesOf(server_id)
  const siblingsIn = (id: number | null) =>
    // Without a category, channels in which people speak are a list of their own.
    state.channelsIn(server_id, id).filter((other) => id !== null || isSpoken(other) === isSpoken(channel))
  const list = type === 'category' ? categories : siblingsIn(parent_id)
  const neighbour = list[list.findIndex(({ id }) => id === channel.id) + step]
  if (neighbour) return goalBeside(channel, neighbour, step < 0 ? 'before' : 'after')
  if (type === 'category') return undefined
  const homes = [null, ...categories.map(({ id }) => id)]
  const at = homes.indexOf(parent_id) + step
  const home = homes[at]
  if (at < 0 || home === undefined) return undefined
  const last = siblingsIn(home).at(-1)
  return { parent_id: home, position: step > 0 || !last ? 0 : last.position + 1 }
}
