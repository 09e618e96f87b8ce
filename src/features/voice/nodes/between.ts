import type { Parts } from '../../../adapters/parts.ts'
import { eventFrame, type Handlers } from '../../../core/contract.ts'
import { Problem } from '../../../core/errors.ts'
import { fieldErrors } from '../../../core/validation.ts'
import type { PublicUser } from '../../../core/schema.ts'
import { type Joined, voiceCommands } from '../model.ts'
import type { Line, Rooms } from '../rooms.ts'
import type { Entry, Speaker } from '../seat.ts'
import type { States } from '../states.ts'
import { openAsking, refusal } from './asking.ts'
import { openFront } from './front.ts'
import { openHome } from './home.ts'
import { openHomes } from './homes.ts'
import { openLinks } from './links.ts'
import { hear, say } from './model.ts'

type Commands = Handlers<typeof voiceCommands, Speaker>
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
  const home = openHome(parts, rooms, run)
  const homes = openHomes(
    parts,
    links.isSilent,
    (id) => rooms.at(id) !== undefined,
    (id) => rooms.giveUp(id),
  )

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
    const client = front.clientOf(id)
    const answer = (error?: unknown) =>
      say(nodes, from, 'voice.answer', {
        n,
        d: {},
        ...(error ? { error: refusal(error instanceof Problem ? error : new Problem('unavailable')) } : {}),
      })
    if (client) void move(client, d).then(() => answer(), answer)
    else answer(new Problem('not_found'))
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
    line().send(client, eventFrame('voice.moved', undefined, JSON.stringify(await join(client, d))))
  }

  /** Runs a command for a client of another node. @throws Problem as the command refuses */
  async function run(client: Speaker, op: string, given: unknown): Promise<unknown> {
    const name = op as keyof Commands
    const parsed = voiceCommands[name].d.safeParse(given)
    if (!parsed.success) throw new Problem('validation_failed', undefined, { errors: fieldErrors(parsed.error, 'd') })
    const work = (): Promise<unknown> => local[name](client, parsed.data as never)
    // The room may have gone elsewhere meanwhile.
    const elsewhere = () => Promise.reject(new Problem('unavailable'))
    return name === 'voice.join' ? homes.at((parsed.data as Wish).channel_id, work, elsewhere) : work()
  }

  /** Where an account's call lives, when that is not this node. */
  const elsewhere = (user_id: number): string | undefined => {
    const node = states.at(user_id)?.node
    return node === nodes.id ? undefined : node
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

  /** The commands for this node's own clients. */
  function handedOn(): Commands {
    const all = Object.keys(voiceCommands).map((op) => {
      const name = op as keyof Commands
      const command = (client: Speaker, d: never) => {
        const node = front.homeOf(client)
        return node === undefined ? local[name](client, d) : front.ask(node, client, op, d)
      }
      return [op, command]
    })
    const targeted =
      (name: 'voice.move_member' | 'voice.disconnect_member') =>
      async (client: Speaker, d: { user_id: number }): Promise<Record<string, never>> => {
        const node = elsewhere(d.user_id)
        await (node === undefined ? local[name](client, d as never) : front.ask(node, client, name, d))
        return {}
      }
    return {
      ...(Object.fromEntries(all) as Commands),
      'voice.join': join,
      'voice.resume': resume,
      'voice.mute_member': local['voice.mute_member'],
      'voice.move_member': targeted('voice.move_member'),
      'voice.disconnect_member': targeted('voice.disconnect_member'),
    }
  }

  return {
    handlers: handedOn(),
    /** The way to members, wherever their sockets are. */
    line(to: Line): Line {
      sockets = to
      return {
        send(client, frame) {
          const { front: node, id } = client
          if (node === undefined) return to.send(client, frame)
          const seat = rooms.of(client)?.voice_session_id ?? null
          say(nodes, node, 'voice.frame', { client: id, seat, frame })
        },
        ping: (client) => (client.front === undefined ? to.ping(client) : undefined),
        isOpen: (client) => (client.front === undefined ? to.isOpen(client) : home.isOpen(client)),
      }
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
