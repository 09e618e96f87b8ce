import { columns, type Database } from '../../database/database.ts'
import { Channel } from '../../features/access/model.ts'
import { selectMembers } from '../../features/members/membership.ts'
import type { Status } from '../../features/status/model.ts'
import type { Snapshot } from '../../gateway/model.ts'
import type { VoiceState } from '../../voice/model.ts'
import type { Facts } from '../facts.ts'
import { channelFor, channelOf, guildOf } from '../shapes/guilds.ts'
import { presenceOf, voiceStateOf } from '../shapes/presences.ts'
import { scheduledEventOf } from '../shapes/scheduled-events.ts'
import { discordTime, memberOf } from '../shapes/users.ts'
import { INTENT } from './intents.ts'

/** Unarchived threads in the event of a server. */
const THREADS_MAX = 1000

/** The parts of a server's event that its snapshot lacks. */
export interface GuildWishes {
  user_id: number
  intents: number
  /** Servers with more members come with the bot's own membership only. */
  largeThreshold: number
  statusOf(userId: number): Status
  voiceStates: VoiceState[]
}

/** Unarchived threads of a server that the account sees. */
export const visibleThreads = (sql: Database, server_id: number, user_id: number) => sql<Channel[]>`
  select ${columns(sql, Channel, 'c')} from channels c cross join lateral channel_access(c.id, ${user_id}) ca
  where c.server_id = ${server_id} and c.type = 'thread' and c.archived_at is null and can_view(ca.permissions)
  order by c.active_at desc limit ${THREADS_MAX}`

/** The event of a server that the bot is in: the whole server as the bot sees it. */
export async function guildCreate(sql: Database, facts: Facts, snapshot: Snapshot, wishes: GuildWishes) {
  const { server } = snapshot
  const { user_id, intents, largeThreshold, statusOf } = wishes
  const isLarge = server.member_count > largeThreshold
  const isWhole = !isLarge && (intents & INTENT.members) !== 0
  const [members, threads] = await Promise.all([
    selectMembers(
      sql,
      sql`m.server_id = ${server.id} and ${isWhole ? sql`true` : sql`m.user_id = ${user_id}`}
        order by m.user_id limit ${largeThreshold}`,
    ),
    visibleThreads(sql, server.id, user_id),
  ])
  const present =
    (intents & INTENT.presences) === 0 ? [] : members.filter(({ user }) => statusOf(user.id) !== 'offline')
  const voiceStates = wishes.voiceStates.filter(({ server_id }) => server_id === server.id)
  return facts.resolve((of) => ({
    ...guildOf(of, server, snapshot.roles, snapshot.emoji, snapshot.stickers ?? []),
    joined_at: discordTime(snapshot.me.joined_at),
    large: isLarge,
    unavailable: false,
    member_count: server.member_count,
    members: members.map(({ user, ...member }) => memberOf(of, user, member)),
    channels: snapshot.channels.map((channel) => channelFor(of, channel, user_id)),
    threads: threads.map((thread) => channelOf(of, thread)),
    presences: present.map(({ user }) => presenceOf(of, user.id, statusOf(user.id))),
    voice_states: voiceStates.map((state) => voiceStateOf(of, state)),
    stage_instances: [],
    guild_scheduled_events:
      (intents & INTENT.scheduledEvents) === 0
        ? []
        : (of.fact('server_events', `${server.id}:${user_id}`) ?? []).map((event) => scheduledEventOf(of, event)),
    soundboard_sounds: [],
  }))
}
