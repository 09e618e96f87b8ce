import { z } from 'zod'
import type { Parts } from '../parts.ts'
import { ephemeralFrame, type Events, topic } from '../core/events.ts'
import { VoiceSessionId, VoiceState } from './model.ts'
import { type Seat, type Speaker, stateOf } from './seat.ts'

/** Everyone who sees the channel is told of the changes of a state no more often. */
const TELL_MS = 500
/** How soon what could not be told is tried again. */
const AGAIN_MS = 200
/** How long it may take until the rows of a channel say that not everyone in the server sees it any more. */
const HIDDEN_MS = 5_000

/** A seat as every node knows it: this node's row of the account in the table `voice`. */
const Row = z.object({
  voice_session_id: VoiceSessionId,
  rank: z.int().max(2 ** 52),
  holder: z.string().max(64),
  restricted: z.boolean(),
  state: VoiceState,
})
export type Row = z.infer<typeof Row>

interface Shown {
  row: Row
  /** What was told last, and when, ms. */
  told: string
  told_at: number
  timer: Timer | undefined
}

/** The later of two seats: of any two, every node prefers the same. */
const isLater = (a: Row, b: Row): boolean =>
  a.rank === b.rank ? a.voice_session_id > b.voice_session_id : a.rank > b.rank

/**
 * Who is in which call, on all nodes: told to this node's sockets, also when it was long unknown here. Of the seats
 * that an account has on several nodes the latest counts.
 * @param onOutranked called with a seat of this node when the account has a later one, and with that
 */
export function openStates({ nodes, bus }: Pick<Parts, 'nodes' | 'bus'>, onOutranked: (id: string, by: Row) => void) {
  const table = nodes.table('voice')
  /** This node's rows, as it wrote them. */
  const written = new Map<number, Row>()
  const shown = new Map<number, Shown>()
  const channels = new Map<number, Set<Shown>>()
  /** Until when these channels count as restricted, whatever their rows say. */
  const hidden = new Map<number, number>()
  const holderOf = (client: Speaker | undefined) => (client ? `${client.front ?? nodes.id}:${client.id}` : '')

  /** The seat of the account that counts, and its node. */
  function at(user_id: number): { node: string; row: Row } | undefined {
    let best: { node: string; row: Row } | undefined
    for (const [node, text] of table.at(String(user_id))) {
      const row = node === nodes.id ? written.get(user_id) : rowOf(text)
      if (row?.state.user.id === user_id && (!best || isLater(row, best.row))) best = { node, row }
    }
    return best
  }

  /** What nobody could be told, by account and channel: the newest of each. */
  const untold = new Map<string, () => void>()
  let waiting: Timer | undefined

  function tellLater(row: Row, said: Events['voice.state_updated']): void {
    const key = `${row.state.user.id} ${row.state.channel_id}`
    untold.delete(key)
    untold.set(key, () => tell(row, said))
    waiting ??= setTimeout(() => {
      waiting = undefined
      const all = [...untold.values()]
      untold.clear()
      for (const each of all) each()
    }, AGAIN_MS)
  }

  function tell(row: Row, said: Events['voice.state_updated'] = row.state): void {
    // Who does not hear of lost access hands out nothing.
    if (!bus.receivesNotices()) return tellLater(row, said)
    const { restricted, state } = row
    const { server_id, channel_id: id } = state
    const to = topic.channel({ id, server_id, restricted: restricted || (hidden.get(id) ?? 0) > Date.now() })
    bus.deliver(ephemeralFrame(to, 'voice.state_updated', said))
  }

  /** At once, unless it was told of just now. */
  function tellSoon(entry: Shown): void {
    const wait_ms = entry.told_at + TELL_MS - Date.now()
    if (wait_ms > 0 || entry.timer) {
      entry.timer ??= setTimeout(() => {
        entry.timer = undefined
        entry.told_at = 0
        tellSoon(entry)
      }, wait_ms)
      return
    }
    const text = JSON.stringify(entry.row.state)
    if (text === entry.told) return
    entry.told = text
    entry.told_at = Date.now()
    tell(entry.row)
  }

  function show(user_id: number, row: Row | undefined): void {
    const before = shown.get(user_id)
    const channel_id = before?.row.state.channel_id
    if (before && row && channel_id === row.state.channel_id) {
      before.row = row
      return tellSoon(before)
    }
    if (before && channel_id !== undefined) {
      clearTimeout(before.timer)
      shown.delete(user_id)
      const there = channels.get(channel_id)
      if (there?.delete(before) && there.size === 0) channels.delete(channel_id)
      tell(before.row, { ...before.row.state, channel_id: null })
    }
    if (!row) return
    const entry: Shown = { row, told: '', told_at: 0, timer: undefined }
    shown.set(user_id, entry)
    const there = channels.get(row.state.channel_id) ?? new Set()
    channels.set(row.state.channel_id, there.add(entry))
    tellSoon(entry)
  }

  table.onChange((key) => {
    const user_id = Number(key)
    const best = at(user_id)
    show(user_id, best?.row)
    const own = written.get(user_id)
    if (own && best && best.node !== nodes.id) onOutranked(own.voice_session_id, best.row)
  })
  bus.onNotice((notice) => {
    if (notice.kind !== 'server_access_changed') return
    const now = Date.now()
    for (const [id, until] of hidden) if (until < now) hidden.delete(id)
    for (const id of notice.hidden) hidden.set(id, now + HIDDEN_MS)
    for (const id of notice.revealed) hidden.delete(id)
  })

  return {
    at,
    holderOf,
    /** What the next seat of the account is to be ranked: later than any that is known here. */
    rankFor: (user_id: number): number => Math.max(Date.now(), (at(user_id)?.row.rank ?? 0) + 1),
    /** Lets everyone know of a seat as it is now. */
    keep(seat: Seat): void {
      const { voice_session_id, rank, client, room } = seat
      const { restricted } = room
      const row: Row = { voice_session_id, rank, holder: holderOf(client), restricted, state: stateOf(seat) }
      written.set(seat.user.id, row)
      table.put(String(seat.user.id), JSON.stringify(row))
    },
    drop(user_id: number): void {
      written.delete(user_id)
      table.put(String(user_id), undefined)
    },
    /** Who is present in these channels, in the order in which they came. */
    in: (channel_ids: number[]): VoiceState[] =>
      channel_ids.flatMap((id) =>
        [...(channels.get(id) ?? [])]
          .map(({ row }) => row.state)
          .toSorted((a, b) => (a.joined_at < b.joined_at ? -1 : Number(a.joined_at > b.joined_at))),
      ),
  }
}

export type States = ReturnType<typeof openStates>

/** A row that another node has written; nonsense is none. */
function rowOf(text: string): Row | undefined {
  try {
    return Row.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
