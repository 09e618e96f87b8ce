import type { Parts } from '../../parts.ts'
import { ephemeralText } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Joined } from '../model.ts'
import type { Line, Rooms } from '../rooms.ts'
import type { Entry, Speaker } from '../seat.ts'
import type { States } from '../states.ts'
import { answerTo } from './rpc-server.ts'
import { openAsking } from './rpc-client.ts'
import { type Commands, handedOn, runHere } from './forwarded-commands.ts'
import { openFront } from './forwarding.ts'
import { lineTo, openHome } from './remote-clients.ts'
import { openHomes } from './room-owner.ts'
import { openLinks } from './heartbeat.ts'
import { hear, say } from './model.ts'

type Wish = Entry & { channel_id: number }

/** Every so many beats a node says whom it has where. */
const BEATS_PER_LIST = 2

/**
 * Calls over several nodes. A room lives on one, its home; what members say whose sockets are on others is handed on to
 * it, and their answers and events come back.
 * @param local the commands as this node runs them itself
 */
export function openBetween(parts: Parts, rooms: Rooms, states: States, local: Commands) {
  const { nodes } = parts
  let sockets: Line | undefined
  const line = (): Line => {
    if (!sockets) throw new Error('No sockets are attached yet')
    return sockets
  }
  const concerned = () => [...front.nodes(), ...home.nodes()]
  const links = openLinks(nodes, concerned, beat, tick, lose)
  const asking = openAsking(nodes, links)
  const front = openFront(nodes, asking, line)
  const home = openHome(parts, rooms, (client, op, d) => runHere(local, homes, client, op, d))
  const homes = openHomes(parts, links.isSilent, rooms)

  function lose(node: string): void {
    asking.drop(node)
    front.lose(node)
    home.lose(node)
  }

  let beats = 0
  function tick(): void {
    beats++
    front.ping(Date.now())
  }

  function beat(node: string): void {
    const isList = beats % BEATS_PER_LIST === 0
    const lists = isList && { clients: front.clientsAt(node, Date.now()), seats: home.seatsOf(node) }
    say(nodes, node, 'voice.beat', lists || {})
  }
  hear(nodes, 'voice.beat', (from, { clients, seats }) => {
    links.heard(from)
    if (clients) home.hearClients(from, clients)
    if (seats) front.hearSeats(from, seats)
  })
  nodes.onGone((node) => {
    lose(node)
    links.forget(node)
  })
  hear(nodes, 'voice.renamed', (_from, { user }) => rooms.rename(user))
  hear(nodes, 'voice.move', (from, { n, client: id, d }) => {
    const work = async () => {
      await move(found(front.clientAt(from, id)), d)
      return {}
    }
    void answerTo(parts, from, n, 'voice.move', work())
  })

  const join = (client: Speaker, d: Wish): Promise<Joined> =>
    homes.at(
      d.channel_id,
      async () => {
        const joined = await local['voice.join'](client, d)
        front.returned(client)
        return joined
      },
      (node) => front.settle(node, client, 'voice.join', d),
    )

  /** Has a client join a call because somebody else wants it to. */
  async function move(client: Speaker, d: Wish): Promise<void> {
    if (client.front !== undefined) return void (await asking.ask(client.front, 'voice.move', { client: client.id, d }))
    line().send(client, ephemeralText('voice.moved', await join(client, d)))
  }

  /** Where an account's call lives, in that server if one is named, when that is not this node. */
  const elsewhere = (user_id: number, server_id?: number): string | undefined => {
    const { node, row } = states.at(user_id) ?? {}
    const isMeant = server_id === undefined || row?.state.server_id === server_id
    return isMeant && node !== nodes.id ? node : undefined
  }

  async function resume(client: Speaker, d: { voice_session_id: string; epoch: number }): Promise<Joined> {
    const node = elsewhere(client.user_id)
    if (node === undefined) {
      const joined = await local['voice.resume'](client, d)
      front.returned(client)
      return joined
    }
    const gone = (error: unknown): never => {
      // Nobody is there any more who could give it back.
      throw links.isSilent(node) ? new Problem('not_found') : error
    }
    return front.settle(node, client, 'voice.resume', d).catch(gone)
  }

  return {
    /** The commands for this node's own clients. */
    handlers: handedOn(local, front, elsewhere, { 'voice.join': join, 'voice.resume': resume }),
    /** The way to members, wherever their sockets are. */
    line(to: Line): Line {
      sockets = to
      return lineTo(nodes, rooms, home, to)
    },
    closed: front.closed,
    renamed: (user: PublicUser) => front.renamed(user),
    ended: homes.ended,
    /** Runs `here` where the room lives on this node, else has the client join it where it does. */
    place: (client: Speaker, d: Wish, here: () => Promise<void>): Promise<void> =>
      homes.at(d.channel_id, here, () => move(client, d)),
    stop: links.stop,
  }
}

export type Between = ReturnType<typeof openBetween>
