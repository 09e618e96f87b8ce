import type { Notice } from '../events/bus.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { Problem } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import { iceServers } from '../turn/credentials.ts'
import type { Turn } from '../turn/thread.ts'
import { admission, admissions } from './admission.ts'
import type { Media } from './sfu/sfu.ts'
import { openVoiceMetrics } from './metrics.ts'
import { moderationCommands } from './signalling/moderation.ts'
import { type Between, openBetween } from './cluster/cluster.ts'
import { type Line, Rooms } from './rooms.ts'
import { openRouting } from './routing/route-switcher.ts'
import { type Admission, isSilenced, type Seat, type Speaker } from './seat.ts'
import { sfuHandlers } from './sfu/commands.ts'
import { joined, limitsOf, meshCommands, presenceCommands } from './signalling/signalling.ts'
import { openStates, type States } from './states.ts'

const TICK_MS = 1_000
/** How often an account is looked up anew because access changed meanwhile. */
const LOOKS_MAX = 20

/** Voice: who is where, what they say to each other, and the way that their media take. Source: voice.md. */
export function openVoice(parts: Parts, media: Media, turn: Turn) {
  const servers = (client: Speaker) => iceServers(turn, client.user_id, client.base, Date.now() / 1000)
  const { environment, sql, bus, log } = parts
  const { VOICE_P2P_PEERS_MAX, VOICE_ROOM_PEERS_MAX, VOICE_RELAY_ONLY } = environment
  const states: States = openStates(parts, (id, by) => rooms.outranked(id, by.holder))
  const onEnd = (channel_id: number) => between?.ended(channel_id)
  const rooms: Rooms = new Rooms(states, VOICE_ROOM_PEERS_MAX, (room) => routing.consider(room), onEnd)
  const metrics = openVoiceMetrics(parts.metrics.registry, rooms)
  const routing = openRouting(parts, rooms, metrics, media, turn)
  const limits = limitsOf(VOICE_P2P_PEERS_MAX, VOICE_ROOM_PEERS_MAX)
  // Counts notices: what was looked up before one of them is looked up again.
  let notices = 0
  let following: Promise<void> = Promise.resolve()

  async function admit(user_id: number, channel_id: number): Promise<Admission> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const before = notices
      const found = await admission(sql, user_id, channel_id)
      if (before !== notices) continue
      // In a mesh nobody can see to it that a member is not heard.
      if (isSilenced(found) && !routing.isAvailable()) throw new Problem('media_unavailable')
      return found
    }
    throw new Problem('unavailable')
  }

  /** Makes seats follow what their accounts may do now. */
  async function follow(seats: Seat[]): Promise<void> {
    if (seats.length === 0) return
    const users = seats.map((seat) => seat.user.id)
    const rows = await admissions(
      sql,
      users,
      seats.map((seat) => seat.room.channel_id),
    ).catch((error: unknown) => {
      // Who cannot be looked up must not keep what it had.
      log('warn', 'voice.follow', errorFields(error))
      return []
    })
    for (const seat of seats) {
      const found = rows.find(({ user, channel_id }) => user.id === seat.user.id && channel_id === seat.room.channel_id)
      if (!found || !holds(found.permissions, 'connect')) rooms.leave(seat, 'access')
      else await apply(seat, found)
    }
  }

  async function apply(seat: Seat, { permissions, server_mute, restricted, user }: Admission): Promise<void> {
    seat.room.restricted = restricted
    const sharing_screen = seat.sharing_screen && holds(permissions, 'share_screen')
    rooms.change(seat, { permissions, server_mute, user, sharing_screen })
    await routing.follow(seat)
  }

  /** Sessions may have ended without a word. */
  async function dropSessionless(): Promise<void> {
    const ids = rooms.seats().map((seat) => seat.session_id)
    const rows = await sql<{ id: number }[]>`select id from sessions where id = any(${ids})`
    const living = new Set(rows.map((row) => row.id))
    for (const seat of rooms.seats()) if (!living.has(seat.session_id)) rooms.leave(seat)
  }

  async function act(notice: Notice): Promise<void> {
    notices++
    if (notice.kind === 'sessions_revoked') {
      const ids = new Set(notice.session_ids)
      for (const seat of rooms.seats()) if (ids.has(seat.session_id)) rooms.leave(seat)
    }
    if (notice.kind === 'recheck_all') await dropSessionless()
    // One look after the other: an older one must not undo a newer one.
    const turn = following.then(() => follow(rooms.seats().filter((seat) => concerns(notice, seat))))
    following = turn
    await turn
  }

  bus.onNotice(act)
  bus.onFrame(({ type, text }) => {
    if (type !== 'user.updated') return
    const user = JSON.parse(text).d
    rooms.rename(user)
    between?.renamed(user)
  })

  const timer = setInterval(() => rooms.tick(Date.now()), TICK_MS)
  const moved = (seat: Seat, client: Speaker) => rooms.tell(seat, 'voice.moved', joined(seat, servers(client), limits))
  const place = (client: Speaker, wish: Parameters<Between['place']>[1], here: () => Promise<void>) =>
    between ? between.place(client, wish, here) : here()
  const local = {
    ...presenceCommands(rooms, routing, admit, servers, limits, VOICE_RELAY_ONLY === 'on'),
    ...meshCommands(rooms, metrics),
    ...sfuHandlers(rooms),
    ...moderationCommands(parts, rooms, admit, moved, place),
  }
  // One process has every call itself.
  const between: Between | undefined = environment.REDIS_URL ? openBetween(parts, rooms, states, local) : undefined

  return {
    handlers: between?.handlers ?? local,
    attach: (line: Line) => rooms.attach(between?.line(line) ?? line),
    socketClosed(client: Speaker) {
      rooms.socketClosed(client)
      between?.closed(client)
    },
    /** Who is present in these channels. */
    statesIn: states.in,
    stop() {
      clearInterval(timer)
      routing.stop()
      between?.stop()
    },
  }
}

export type Voice = ReturnType<typeof openVoice>

/** Whether what a seat may do can have changed by this. */
function concerns(notice: Notice, { user, room }: Seat): boolean {
  if (notice.kind === 'recheck_all') return true
  if (notice.kind === 'access_changed') return notice.user_ids.includes(user.id)
  if (notice.kind === 'channel_deleted') return notice.channel_id === room.channel_id
  if (notice.kind === 'server_access_changed' || notice.kind === 'server_deleted')
    return notice.server_id === room.server_id
  return false
}
