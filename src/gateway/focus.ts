import type { Table } from '../cluster/node-tables.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { SocketData } from './socket.ts'

type FocusedSocket = Pick<SocketData, 'id' | 'user_id'>

/** Tracks which channel each account has in focus. In memory; nodes share it as a table. */
export class Focus {
  /** By account, then by socket of this node: the focused channel. */
  readonly #channels = new Map<number, Map<number, number>>()
  readonly #table: Table

  constructor(nodes: Pick<Nodes, 'table'>) {
    this.#table = nodes.table('focus')
  }

  /** @param channelId null for none */
  set({ id, user_id }: FocusedSocket, channelId: number | null): void {
    const channelsBySocket = this.#channels.get(user_id) ?? new Map<number, number>()
    if ((channelsBySocket.get(id) ?? null) === channelId) return
    if (channelId === null) channelsBySocket.delete(id)
    else channelsBySocket.set(id, channelId)
    if (channelsBySocket.size > 0) this.#channels.set(user_id, channelsBySocket)
    else this.#channels.delete(user_id)
    const row = [...new Set(channelsBySocket.values())].join(' ')
    this.#table.put(String(user_id), row === '' ? undefined : row)
  }

  clear(socket: FocusedSocket): void {
    this.set(socket, null)
  }

  /** True if a device of the account, on any node, shows the channel and has the focus. */
  readonly isFocused = (user_id: number, channelId: number): boolean => {
    const rows = this.#table.at(String(user_id)).values()
    return [...rows].some((row) => row.split(' ').includes(String(channelId)))
  }
}
