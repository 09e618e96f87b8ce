import type { z } from 'zod'
import type { Nodes } from '../../cluster/nodes.ts'
import { ephemeralText } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Joined } from '../model.ts'
import { type Line, PING_MS } from '../rooms.ts'
import type { Speaker } from '../seat.ts'
import type { Asking } from './rpc-client.ts'
import { hear, type messages, say } from './model.ts'

type Body<K extends keyof typeof messages> = z.output<(typeof messages)[K]>

/** A client of this node with a call on another. */
interface Away {
  client: Speaker
  /** Where its call lives, and its voice session there. */
  home: string | undefined
  seat: string | undefined
  /** Where commands of it are under way, and how many. */
  asked: Map<string, number>
}

/** This node's clients whose calls live on other nodes: what they say is handed on there, and to them what is said. */
export function openFront(nodes: Nodes, asking: Asking, line: () => Line) {
  const away = new Map<number, Away>()
  const inTurn = openTurns()

  function entryOf(client: Speaker): Away {
    const entry = away.get(client.id) ?? { client, home: undefined, seat: undefined, asked: new Map() }
    away.set(client.id, entry)
    return entry
  }

  function tidy(entry: Away): void {
    if (entry.home === undefined && entry.asked.size === 0) away.delete(entry.client.id)
  }

  function leaveHome(entry: Away): void {
    entry.home = entry.seat = undefined
    tidy(entry)
  }

  /** The room is gone from there without a word to its member. */
  function lost(entry: Away): void {
    const { client, seat: voice_session_id } = entry
    leaveHome(entry)
    if (voice_session_id === undefined) return
    line().send(client, ephemeralText('voice.disconnected', { voice_session_id, reason: 'rejoin' }))
  }

  async function ask(node: string, client: Speaker, op: string, d: unknown): Promise<unknown> {
    const entry = entryOf(client)
    entry.asked.set(node, (entry.asked.get(node) ?? 0) + 1)
    try {
      const { id, user_id, session_id, base } = client
      return await asking.ask(node, 'voice.command', { client: { id, user_id, session_id, base }, op, d })
    } finally {
      const left = (entry.asked.get(node) ?? 1) - 1
      if (left > 0) entry.asked.set(node, left)
      else entry.asked.delete(node)
      tidy(entry)
    }
  }

  /** Joins, or takes a seat again, on that node: from then on it is the client's. */
  async function settle(node: string, client: Speaker, op: 'voice.join' | 'voice.resume', d: unknown): Promise<Joined> {
    const joined = (await ask(node, client, op, d)) as Joined
    if (!line().isOpen(client)) throw new Problem('not_found')
    const entry = entryOf(client)
    entry.home = node
    entry.seat = joined.voice_session_id
    return joined
  }

  hear(nodes, 'voice.answer', (from, body) =>
    inTurn(() => {
      asking.answered(from, body)
      return true
    }),
  )

  function passOn(from: string, { client: id, seat, frame }: Body<'voice.frame'>): void {
    const entry = away.get(id)
    // What comes from where it has been meanwhile is of no use to it.
    if (!entry || (entry.home !== from && !entry.asked.has(from))) return
    if (entry.home === from && seat === null) leaveHome(entry)
    else if (entry.home === from) entry.seat = seat ?? undefined
    line().send(entry.client, frame)
  }
  hear(nodes, 'voice.frame', (from, body) => inTurn(() => passOn(from, body)))

  /** What a home says of who sits there; a seat that it knows nothing of is lost. */
  function compare(from: string, seats: Map<number, string>): void {
    for (const entry of away.values()) {
      if (entry.home !== from || entry.asked.has(from)) continue
      const seat = seats.get(entry.client.id)
      if (seat === undefined) lost(entry)
      else entry.seat = seat
    }
  }

  return {
    settle,
    ask,
    /** The client of this number, if its call lives on that node. */
    clientAt(node: string, id: number): Speaker | undefined {
      const entry = away.get(id)
      return entry?.home === node ? entry.client : undefined
    },
    /** The node on which the client's call lives, when that is not this one. */
    homeOf: (client: Speaker): string | undefined => away.get(client.id)?.home,
    /** The client has a call here now. */
    returned(client: Speaker): void {
      const entry = away.get(client.id)
      if (entry) leaveHome(entry)
    },
    closed({ id }: Speaker): void {
      const entry = away.get(id)
      if (!entry) return
      away.delete(id)
      for (const node of new Set([...entry.asked.keys(), entry.home]))
        if (node !== undefined) say(nodes, node, 'voice.closed', { client: id })
    },
    renamed(user: PublicUser): void {
      for (const { client, home } of away.values())
        if (home !== undefined && client.user_id === user.id) say(nodes, home, 'voice.renamed', { user })
    },
    /** That node is silent, or gone. */
    lose(node: string): void {
      for (const entry of away.values()) if (entry.home === node) lost(entry)
    },
    hearSeats: (from: string, seats: [number, string][]) => inTurn(() => compare(from, new Map(seats))),
    nodes: (): string[] => [...away.values()].flatMap(({ home, asked }) => [...asked.keys(), ...(home ? [home] : [])]),
    /** Who of this node's clients is there, and for how long each has been silent, ms. */
    clientsAt(node: string, now: number): [number, number][] {
      const there = [...away.values()].filter(({ home, asked }) => home === node || asked.has(node))
      return there.map(({ client: { id, heard_at } }) => [id, Math.max(0, now - heard_at)])
    },
    /** Finds the sockets that are dead without a word. */
    ping(now: number): void {
      for (const { client, home } of away.values())
        if (home !== undefined && now - client.heard_at > PING_MS) line().ping(client)
    },
  }
}

export type Front = ReturnType<typeof openFront>

/**
 * Takes what comes in its order: what an answer brings about goes out in the microtasks behind it, so whatever comes
 * after an answer waits for the next turn of the loop. A step returns whether it was an answer.
 */
function openTurns() {
  const waiting: (() => boolean | void)[] = []
  let held = false
  const run = (step: () => boolean | void) => {
    if (!step()) return
    held = true
    setImmediate(() => {
      held = false
      while (!held) {
        const next = waiting.shift()
        if (!next) break
        run(next)
      }
    })
  }
  return (step: () => boolean | void): void => {
    if (held) waiting.push(step)
    else run(step)
  }
}
