import { columns, type Database } from '../../database/database.ts'
import { Channel } from '../../features/access/model.ts'
import type { Status } from '../../features/status/model.ts'
import type { Snapshot } from '../../gateway/model.ts'
import type { VoiceState } from '../../voice/model.ts'
import type { Facts } from '../facts.ts'
import { presenceOf, voiceStateOf } from '../shapes/presences.ts'
import { channelOf } from '../shapes/guilds.ts'
import { scheduledEventOf } from '../shapes/scheduled-events.ts'
import { soundOf } from '../shapes/sounds.ts'
import { discordTime, memberOf } from '../shapes/users.ts'
import { channelTextFor, type GuildText } from './guild-texts.ts'
import { INTENT } from './intents.ts'
import { soundsOf } from './sounds.ts'

/** Unarchived threads in the event of a server. */
const THREADS_MAX = 1000

/** The rest of the event of a server, besides the server and its snapshot. */
export interface GuildWishes {
  user_id: number
  intents: number
  /** Servers with more members come with the bot's own membership only. */
  largeThreshold: number
  statusOf(userId: number): Status
  voiceStates: VoiceState[]
}

const NONE: ReadonlySet<number> = new Set()

/** A server as one bot sees it. */
interface SeenServer {
  /** JSON of the bot's membership. */
  readonly me: string
  /** The channels that the bot sees now; undefined if it has left the server. */
  seenNow(): readonly { id: number }[] | undefined
}

/** Unarchived threads of a server that the account sees. */
export const visibleThreads = (sql: Database, server_id: number, user_id: number) => sql<Channel[]>`
  select ${columns(sql, Channel, 'c')} from channels c cross join lateral channel_access(c.id, ${user_id}) ca
  where c.server_id = ${server_id} and c.type = 'thread' and c.archived_at is null and can_view(ca.permissions)
  order by c.active_at desc limit ${THREADS_MAX}`

/**
 * The event of a server that the bot is in, as JSON: the whole server as the bot sees it.
 * @param text the server for all bots, of which the bot gets what it sees
 * @returns undefined if the bot has left the server
 */
export async function guildCreate(
  sql: Database,
  facts: Facts,
  text: GuildText,
  seen: SeenServer,
  wishes: GuildWishes,
): Promise<string | undefined> {
  const { lists } = text
  const { server, fields } = lists
  const { user_id, intents, largeThreshold, statusOf } = wishes
  const { me }: Pick<Snapshot, 'me'> = JSON.parse(`{"me":${seen.me}}`)
  const isLarge = server.member_count > largeThreshold
  const isWhole = !isLarge && (intents & INTENT.members) !== 0
  const members = isWhole ? await text.members() : undefined
  const present =
    (intents & INTENT.presences) === 0 ? [] : (members?.ids ?? [user_id]).filter((id) => statusOf(id) !== 'offline')
  const voiceStates = wishes.voiceStates.filter(({ server_id }) => server_id === server.id)
  const hasEvents = lists.hasDates && (intents & INTENT.scheduledEvents) !== 0
  const threads = lists.hasThreads ? await visibleThreads(sql, server.id, user_id) : []
  const sounds = lists.hasSounds ? await soundsOf(sql, server.id) : []
  const own = await facts.resolve((of) => ({
    member: members ? undefined : memberOf(of, me.user, me),
    presences: present.map((id) => presenceOf(of, id, statusOf(id))),
    voice_states: voiceStates.map((state) => voiceStateOf(of, state)),
    events: hasEvents
      ? (of.fact('server_events', `${server.id}:${user_id}`) ?? []).map((event) => ({
          place: event.place.channel_id,
          row: scheduledEventOf(of, event),
        }))
      : [],
    threads: threads.map((thread) => channelOf(of, thread)),
    sounds: sounds.map((sound) => soundOf(of, sound)),
  }))
  // After all reads. From here on nothing waits, so the bot loses nothing that it is sent.
  const seenChannels = seen.seenNow()
  if (!seenChannels) return undefined
  const hasMore = threads.length + voiceStates.length + own.events.length + lists.stages.length > 0
  const seenIds = hasMore ? new Set(seenChannels.map(({ id }) => id)) : NONE
  const channels = seenChannels.flatMap(({ id }) => {
    const channel = lists.channels.get(id)
    return channel === undefined ? [] : channelTextFor(channel, user_id)
  })
  const more = JSON.stringify({
    threads: own.threads.filter((_, at) => seenIds.has(threads[at]?.parent_id ?? 0)),
    joined_at: discordTime(me.joined_at),
    large: isLarge,
    unavailable: false,
    member_count: server.member_count,
    presences: own.presences,
    voice_states: own.voice_states.filter((_, at) => seenIds.has(voiceStates[at]?.channel_id ?? 0)),
    stage_instances: lists.stages.flatMap(({ channel_id, row }) => (seenIds.has(channel_id) ? row : [])),
    guild_scheduled_events: own.events.flatMap(({ place, row }) =>
      place === undefined || seenIds.has(place) ? row : [],
    ),
    soundboard_sounds: own.sounds,
  })
  const memberList = members?.text ?? JSON.stringify(own.member)
  return `${fields},"members":[${memberList}],"channels":[${channels.join(',')}],${more.slice(1)}`
}
