import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { Rooms } from '../rooms.ts'

/** How long one who joins waits until somebody else is in charge of a call whose node has fallen silent. */
const WAIT_MS_MAX = 4_000
const LOOK_MS = 200

const nameOf = (channel_id: number): string => `voice:${channel_id}`

/**
 * On which node each call lives: that which holds its lease, from the first who joins to the last who leaves.
 * @param isSilent whether a node is not heard at present
 * @param rooms those of this node; what lives on another one now is given up
 */
export function openHomes(
  { leases, nodes }: Pick<Parts, 'leases' | 'nodes'>,
  isSilent: (node: string) => boolean,
  rooms: Pick<Rooms, 'at' | 'giveUp'>,
) {
  /** How many are about to use a room: as long as there is one, its lease is kept. */
  const users = new Map<number, number>()
  const held = new Set<number>()
  const looking = new Map<number, Promise<string>>()

  /** The node that holds the lease and lives. @throws Problem `unavailable` */
  async function find(channel_id: number): Promise<string> {
    const deadline = Date.now() + WAIT_MS_MAX
    for (;;) {
      const node = await leases.take(nameOf(channel_id))
      if (node === nodes.id) held.add(channel_id)
      if (!isSilent(node)) return node
      if (Date.now() > deadline) throw new Problem('unavailable')
      await Bun.sleep(LOOK_MS)
    }
  }

  /** Everyone who asks meanwhile gets the same answer. */
  function homeOf(channel_id: number): Promise<string> {
    const present = looking.get(channel_id)
    if (present) return present
    const look = find(channel_id).finally(() => looking.delete(channel_id))
    looking.set(channel_id, look)
    return look
  }

  function letGo(channel_id: number): void {
    if (users.has(channel_id)) return
    if (!rooms.at(channel_id)) {
      if (held.delete(channel_id)) leases.release(nameOf(channel_id))
    } else if (!held.has(channel_id)) {
      // Lost while somebody was on the way in.
      rooms.giveUp(channel_id)
    }
  }

  leases.onLost((name) => {
    const channel_id = Number(/^voice:(\d+)$/.exec(name)?.[1])
    if (held.delete(channel_id)) rooms.giveUp(channel_id)
  })

  return {
    /** Does one or the other, depending on whether the room lives here, as it does then until that is done. */
    async at<T>(channel_id: number, here: () => Promise<T>, there: (node: string) => Promise<T>): Promise<T> {
      users.set(channel_id, (users.get(channel_id) ?? 0) + 1)
      try {
        const node = await homeOf(channel_id)
        return await (node === nodes.id ? here() : there(node))
      } finally {
        const left = (users.get(channel_id) ?? 1) - 1
        if (left > 0) users.set(channel_id, left)
        else users.delete(channel_id)
        letGo(channel_id)
      }
    },
    /** A room has ended. */
    ended: letGo,
  }
}

export type Homes = ReturnType<typeof openHomes>
