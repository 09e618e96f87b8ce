import { randomUUID } from 'node:crypto'
import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { Facts } from '../../src/discord/facts.ts'
import { guildCreate, type GuildWishes, visibleThreads } from '../../src/discord/gateway/guild-create.ts'
import { GuildTexts } from '../../src/discord/gateway/guild-texts.ts'
import { INTENT } from '../../src/discord/gateway/intents.ts'
import { channelFor, channelOf, guildOf } from '../../src/discord/shapes/guilds.ts'
import { presenceOf, voiceStateOf } from '../../src/discord/shapes/presences.ts'
import { scheduledEventOf } from '../../src/discord/shapes/scheduled-events.ts'
import { discordTime, memberOf } from '../../src/discord/shapes/users.ts'
import { selectMembers } from '../../src/features/members/membership.ts'
import type { Status } from '../../src/features/status/model.ts'
import type { Snapshot } from '../../src/gateway/model.ts'
import { ServerViews } from '../../src/gateway/server-views.ts'
import { type ServerSnapshot, type ServerTexts, snapshotsOf } from '../../src/gateway/snapshots.ts'
import type { VoiceState } from '../../src/voice/model.ts'
import { addBot, botOf } from './bots.ts'
import { snowflakeOf } from './discord.ts'
import type { Parley } from '../../src/parley.ts'
import type { Person } from './harness.ts'
import { passersBy } from './people.ts'
import { place } from './places.ts'

// GUILD_CREATE as bots get it from translations that they share, and as a translation for one bot gives it.

/** Bots of Discord's door with caches of their own, as one process has them. */
export class Door {
  readonly views: ServerViews
  readonly facts: Facts
  readonly guilds: GuildTexts
  /** Bytes counted so far. */
  charged = 0

  constructor(readonly parley: Parley) {
    const { sql } = parley.parts
    this.views = new ServerViews(sql)
    this.facts = new Facts(sql)
    this.guilds = new GuildTexts(sql, this.facts, (texts, bytes) => this.#charge(texts, bytes))
  }

  #charge(texts: ServerTexts, bytes: number): void {
    this.charged += bytes
    this.views.charge(texts, bytes)
  }

  /** The server as our gateway hands it to a bot's socket; undefined if the bot is not in it. */
  async snapshot(bot: Person, server_id: number): Promise<ServerSnapshot | undefined> {
    const { memberships } = await this.views.read((_sql, load) => load([bot.id]))
    const own = (memberships.get(bot.id) ?? []).filter(({ view }) => view.id === server_id)
    return snapshotsOf(own, 'online')[0]
  }

  /** GUILD_CREATE by the caches. */
  async guild(snapshot: ServerSnapshot | undefined, wishes: GuildWishes): Promise<any> {
    if (!snapshot) return undefined
    const { me, channels, texts } = snapshot
    const seen = { me, seenNow: () => channels }
    const body = await guildCreate(this.parley.parts.sql, this.facts, await this.guilds.of(texts), seen, wishes)
    return body === undefined ? undefined : JSON.parse(body)
  }
}

/** GUILD_CREATE for one bot without any cache, from the frames that our own gateway would send it. */
export async function translated(bot: Person, server_id: number, wishes: GuildWishes): Promise<any> {
  const { sql } = bot.parley.parts
  const door = new Door(bot.parley)
  const snapshot = await door.snapshot(bot, server_id)
  door.views.stop()
  if (!snapshot) return undefined
  const parts: Snapshot[] = snapshot.parts.all().map((part) => JSON.parse(part.text(snapshot.me)).d)
  const [{ server, me }] = parts as [Snapshot]
  const { user_id, intents, largeThreshold, statusOf, voiceStates } = wishes
  const isLarge = server.member_count > largeThreshold
  const isWhole = !isLarge && (intents & INTENT.members) !== 0
  const members = await selectMembers(
    sql,
    sql`m.server_id = ${server_id} and ${isWhole ? sql`true` : sql`m.user_id = ${user_id}`} order by m.user_id`,
  )
  const threads = await visibleThreads(sql, server_id, user_id)
  const present = members.filter(({ user }) => intents & INTENT.presences && statusOf(user.id) !== 'offline')
  const channels = parts.flatMap((part) => part.channels)
  const states = voiceStates.filter(({ channel_id }) => channels.some(({ id }) => id === channel_id))
  const whole = await new Facts(sql).resolve((of) => ({
    ...guildOf(
      of,
      server,
      parts.flatMap(({ roles }) => roles),
      parts.flatMap(({ emoji }) => emoji),
      parts.flatMap(({ stickers = [] }) => stickers),
    ),
    joined_at: discordTime(me.joined_at),
    large: isLarge,
    unavailable: false,
    member_count: server.member_count,
    members: members.map(({ user, ...member }) => memberOf(of, user, member)),
    channels: channels.map((channel) => channelFor(of, channel, user_id)),
    threads: threads.map((thread) => channelOf(of, thread)),
    presences: present.map(({ user }) => presenceOf(of, user.id, statusOf(user.id))),
    voice_states: states.map((state) => voiceStateOf(of, state)),
    stage_instances: [],
    guild_scheduled_events:
      intents & INTENT.scheduledEvents
        ? (of.fact('server_events', `${server_id}:${user_id}`) ?? []).map((event) => scheduledEventOf(of, event))
        : [],
    soundboard_sounds: [],
  }))
  return JSON.parse(JSON.stringify(whole))
}

/** The order of rows with equal positions is any. */
export function sorted(guild: any): any {
  if (!guild) return guild
  const byId = (rows: { id: string }[]) => rows.toSorted((one, other) => one.id.localeCompare(other.id))
  const { channels, threads, roles } = guild
  return { ...guild, channels: byId(channels), threads: byId(threads), roles: byId(roles) }
}

/**
 * Names of all that a bot learns to exist from GUILD_CREATE, without what a bot may always know: overwrites for roles,
 * and for itself.
 * @param self the bot's id on Discord
 */
export function namesIn(guild: any, self: string): Set<string> {
  if (!guild) return new Set()
  const { channels, threads, roles, emojis, stickers, members, presences, voice_states, guild_scheduled_events } = guild
  const rows = Object.entries({ channels, threads, roles, emojis, stickers, guild_scheduled_events })
  return new Set([
    ...rows.flatMap(([kind, list]) => list.map(({ id }: { id: string }) => `${kind} ${id}`)),
    ...members.map(({ user }: any) => `member ${user.id}`),
    ...members.flatMap(({ user, roles: ids }: any) => ids.map((id: string) => `role ${id} of ${user.id}`)),
    ...presences.map(({ user }: any) => `presence ${user.id}`),
    ...voice_states.map(({ user_id, channel_id }: any) => `${user_id} in ${channel_id}`),
    ...channels.flatMap(({ id, permission_overwrites: list }: any) =>
      list.flatMap((row: any) => (row.type === 1 && row.id !== self ? `overwrite ${row.id} in ${id}` : [])),
    ),
  ])
}

const statusOf = (userId: number): Status => (userId % 2 === 0 ? 'online' : 'offline')
export const ALL_INTENTS = 2 ** 26 - 1
export const wishesOf = ({ id }: Person, more: Partial<GuildWishes> = {}): GuildWishes => ({
  user_id: id,
  intents: ALL_INTENTS,
  largeThreshold: 50,
  statusOf,
  voiceStates: [],
  ...more,
})

/** A server of alice's with bob, a forum, threads, an emoji, a date, and bots with different permissions. */
export async function scene(parley: Parley) {
  const { sql } = parley.parts
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id, everyone } = await place(alice, bob, carol)
  await sql`insert into emojis ${sql({ server_id, name: 'owl', key: randomUUID(), creator_id: bob.id })}`
  const path = `/api/servers/${server_id}`
  const create = async (what: string, draft: object): Promise<number> => {
    const { status, body } = await alice.post(`${path}/${what}`, draft)
    expect(status).toBe(201)
    return body.id
  }
  const category = await create('channels', { name: 'Birds', type: 'category' })
  const forum = await create('channels', { name: 'help', type: 'forum' })
  const voice = await create('channels', { name: 'Hide', type: 'voice' })
  const channels = [channel_id, category, forum, voice, await create('channels', { name: 'one', type: 'text' })]
  channels.push(await create('channels', { name: 'two', type: 'text', parent_id: category }))
  const roles = [await create('roles', { name: 'Keepers' }), await create('roles', { name: 'Wardens' })]
  const own = { Plain: 0, Ruler: permissions('administrator'), Keeper: permissions('manage_roles', 'view_channel') }
  const bots: Person[] = []
  const selves: string[] = []
  for (const [name, bits] of Object.entries({ ...own, Sitter: permissions('manage_threads') })) {
    const bot = await botOf(alice, name)
    await addBot(alice, server_id, bot, bits)
    bots.push(bot)
    const [row] = await sql<[{ id: number; created_at: string }]>`
      select id, iso(created_at) as created_at from users where id = ${bot.id}`
    selves.push(snowflakeOf(row))
  }
  const [starts_at, ends_at] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const date = { title: 'Owls', starts_at, ends_at, time_zone: 'UTC', place: { channel_id } }
  const event = await create('events', date)
  /** Carol in the voice channel, as our gateway tells it to those who see the channel. */
  const inCall: VoiceState = {
    user: { id: carol.id, display_name: 'carol', avatar_file_id: null, kind: 'person' },
    server_id,
    channel_id: voice,
    self_mute: false,
    self_deaf: false,
    server_mute: false,
    server_deaf: false,
    sharing_screen: false,
    camera: false,
    camera_stopped: false,
    reconnecting: false,
    joined_at: new Date().toISOString(),
  }
  const ids = { server_id, channel_id, everyone, category, forum, voice, event }
  return { ...ids, alice, bob, carol, path, channels, roles, bots, selves, inCall, create }
}
type Scene = Awaited<ReturnType<typeof scene>>
type Changes = Record<string, (n: number) => Promise<unknown>>

/** Random changes of who may see which of the server's rows. */
function accessChanges(world: Scene, random: () => number): Changes {
  const { alice, bob, path, channels, roles, bots, everyone, category, event } = world
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const bits = ['view_channel', 'manage_roles', 'manage_threads', 'administrator', 'read_history'] as const
  const overwrite = () => ({ [pick(['allow', 'deny'])]: permissions(pick(bits.slice(0, 3))) })
  const anyone = () => pick([...bots, bob]).id
  const anyRole = () => pick([everyone, ...roles])
  const overwriteOf = (whose: string) => `/api/channels/${pick(channels)}/permissions/${whose}`
  return {
    role: () => alice.put(`/api/roles/${anyRole()}`, { permissions: permissions(pick([...bits])) }),
    overwrite: () => alice.put(overwriteOf(String(anyRole())), overwrite()),
    lift: () => alice.delete(overwriteOf(String(anyRole()))),
    'own overwrite': () => alice.put(overwriteOf(`members/${anyone()}`), overwrite()),
    'lift own': () => alice.delete(overwriteOf(`members/${anyone()}`)),
    grant: () => alice.post(`${path}/members/${anyone()}/roles/${pick(roles)}`),
    take: () => alice.delete(`${path}/members/${anyone()}/roles/${pick(roles)}`),
    move: () => alice.put(`/api/channels/${pick(channels)}`, { parent_id: pick([null, category]) }),
    'move date': () => alice.put(`/api/events/${event}`, { place: { channel_id: pick(channels) } }),
    quarantine: () => alice.put(`${path}/members/${anyone()}`, { held_back: pick([null, 'quarantined']) }),
    timeout: () =>
      alice.put(`${path}/members/${anyone()}`, {
        timed_out_until: pick([null, new Date(Date.now() + 3_600_000).toISOString()]),
      }),
    bot: async () => {
      const bot = pick(bots)
      const removal = await alice.delete(`${path}/members/${bot.id}`)
      // One change of each round: a bot that returns at once is missing in between.
      if (removal.status === 204) return
      await alice.put(`${path}/applications/${bot.id}`, { permissions: permissions(pick([...bits])) })
    },
  }
}

/** Random changes of the server's rows. */
function rowChanges(world: Scene, random: () => number): Changes {
  const { alice, bob, server_id, path, channels, roles, bots, category, forum } = world
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const threads: number[] = []
  return {
    say: () => alice.post(`/api/channels/${pick(channels)}/messages`, { content: 'Hello' }),
    rename: (n) => alice.put(`/api/channels/${pick(channels)}`, { topic: `Topic ${n} ж` }),
    server: (n) => alice.put(path, { name: `Server ${n}` }),
    nickname: (n) => alice.put(`${path}/members/${pick([...bots, bob]).id}`, { nickname: `Nick ${n}` }),
    'bot’s name': (n) => alice.put(`/api/applications/${pick(bots).id}`, { name: `Bot ${n}` }),
    name: (n) => bob.put('/api/auth/display-name', { display_name: `Name ${n}` }),
    channel: async (n) => {
      const draft = { name: `c${n}`, type: pick(['text', 'voice']), parent_id: pick([null, category]) }
      const { status, body } = await alice.post(`${path}/channels`, draft)
      if (status === 201) channels.push(body.id)
    },
    // The first ones are needed.
    'delete channel': () => alice.delete(`/api/channels/${pick(channels.slice(4)) ?? 1}`),
    'new role': async (n) => {
      const { status, body } = await alice.post(`${path}/roles`, { name: `r${n}` })
      if (status === 201) roles.push(body.id)
    },
    'delete role': () => alice.delete(`/api/roles/${pick(roles.slice(2)) ?? 1}`),
    leave: async () => {
      const { status } = await bob.delete(`${path}/members/@me`)
      if (status === 204) return
      const invite = await alice.post('/api/invites', { server_id })
      await bob.post(`/api/invites/${invite.body.code}/join`)
    },
    thread: async (n) => {
      const isPost = n % 2 === 0
      const { status, body } = await alice.post(`/api/channels/${isPost ? forum : pick(channels)}/threads`, {
        name: `Thread ${n}`,
        ...(isPost ? { message: { content: 'Hoot' } } : {}),
      })
      if (status === 201) threads.push(body.id)
    },
    hide: () => alice.put(`/api/channels/${pick(threads) ?? 1}`, { hidden: pick([true, false]) }),
    archive: () => alice.put(`/api/channels/${pick(threads) ?? 1}`, { archived: pick([true, false]) }),
    'delete thread': () => alice.delete(`/api/channels/${pick(threads) ?? 1}`),
  }
}

/** A source of random changes of the scene. @returns a function that makes one, and tells its name */
export function changesOf(world: Scene, random: () => number): (n: number) => Promise<string> {
  const all = Object.entries({ ...accessChanges(world, random), ...rowChanges(world, random) })
  return async (n) => {
    const [name, change] = all[Math.floor(random() * all.length)] ?? []
    await change?.(n)
    return name ?? ''
  }
}
