import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { Nodes } from '../../cluster/nodes.ts'
import type { Line, Rooms } from '../rooms.ts'
import type { Speaker } from '../seat.ts'
import { answerTo } from './rpc-server.ts'
import { hear, say, STAND_INS_MAX, UNDERWAY_MAX } from './model.ts'

type StandIn = Speaker & { readonly front: string }

interface Front {
  clients: Map<number, StandIn>
  underway: number
}

/**
 * Other nodes' clients with a call here: each has a stand-in, by which it has a seat like anybody.
 * @param run runs a command for one
 */
export function openHome(
  { nodes, log }: Pick<Parts, 'nodes' | 'log'>,
  rooms: Rooms,
  run: (client: Speaker, op: string, d: unknown) => Promise<unknown>,
) {
  const fronts = new Map<string, Front>()

  function forget(standIn: StandIn): void {
    const front = fronts.get(standIn.front)
    if (!front?.clients.delete(standIn.id)) return
    if (front.clients.size === 0 && front.underway === 0) fronts.delete(standIn.front)
    rooms.socketClosed(standIn)
  }

  /** @throws Problem `unavailable` when that node has too many already */
  function standInFor(from: string, front: Front, client: Omit<Speaker, 'front' | 'heard_at'>): StandIn {
    const present = front.clients.get(client.id)
    if (present) {
      present.heard_at = Date.now()
      return present
    }
    if (front.clients.size >= STAND_INS_MAX) throw new Problem('unavailable')
    const standIn: StandIn = { ...client, front: from, heard_at: Date.now() }
    front.clients.set(client.id, standIn)
    return standIn
  }

  hear(nodes, 'voice.command', (from, { n, client, op, d }) => {
    const front = fronts.get(from) ?? { clients: new Map(), underway: 0 }
    fronts.set(from, front)
    const work = async () => {
      if (front.underway > UNDERWAY_MAX) throw new Problem('unavailable')
      return run(standInFor(from, front, client), op, d)
    }
    front.underway++
    void answerTo({ nodes, log }, from, n, op, work()).finally(() => {
      front.underway--
      if (front.clients.size === 0 && front.underway === 0 && fronts.get(from) === front) fronts.delete(from)
    })
  })
  hear(nodes, 'voice.closed', (from, { client }) => {
    const standIn = fronts.get(from)?.clients.get(client)
    if (standIn) forget(standIn)
  })

  return {
    nodes: (): Iterable<string> => fronts.keys(),
    isOpen: (client: Speaker): boolean => fronts.get(client.front ?? '')?.clients.get(client.id) === client,
    /** That node is silent, or gone. */
    lose(node: string): void {
      for (const standIn of fronts.get(node)?.clients.values() ?? []) forget(standIn)
    },
    /** What a front says of who is still there, and for how long each has been silent, ms. */
    hearClients(from: string, clients: [number, number][]): void {
      const silent_ms = new Map(clients)
      for (const standIn of fronts.get(from)?.clients.values() ?? []) {
        const silent = silent_ms.get(standIn.id)
        if (silent === undefined) forget(standIn)
        else standIn.heard_at = Date.now() - silent
      }
    },
    /** Which clients of a front have a seat here. */
    seatsOf: (node: string): [number, string][] =>
      [...(fronts.get(node)?.clients.values() ?? [])].flatMap((standIn) => {
        const seat = rooms.of(standIn)
        return seat ? [[standIn.id, seat.voice_session_id] as [number, string]] : []
      }),
  }
}

/** The way to members, wherever their sockets are; `to` is that to those of this node. */
export const lineTo = (nodes: Nodes, rooms: Rooms, home: { isOpen(client: Speaker): boolean }, to: Line): Line => ({
  send(client, frame) {
    const { front, id } = client
    if (front === undefined) return to.send(client, frame)
    const seat = rooms.of(client)?.voice_session_id ?? null
    say(nodes, front, 'voice.frame', { client: id, seat, frame })
  },
  ping: (client) => (client.front === undefined ? to.ping(client) : undefined),
  isOpen: (client) => (client.front === undefined ? to.isOpen(client) : home.isOpen(client)),
})
