import { randomUUID } from 'node:crypto'
import { expect, test } from 'bun:test'
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
import { addBot, botOf } from '../support/bots.ts'
import { seeded } from '../support/happenings.ts'
import { type Person, say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'

const parley = await standard()
const { sql } = parley.parts

/** Bots of Discord's door with caches of their own, as one process has them. */
class Door {
  readonly views = new ServerViews(sql)
  readonly facts = new Facts(sql)
  /** Bytes counted so far. */
  charged = 0
  readonly guilds = new GuildTexts(sql, this.facts, (texts, bytes) => this.#charge(texts, bytes))

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
    return JSON.parse(await guildCreate(sql, this.facts, await this.guilds.of(snapshot.texts), snapshot, wishes))
  }
}

/** GUILD_CREATE for one bot without any cache, from the frames that our own gateway would send it. */
async function translated(bot: Person, server_id: number, wishes: GuildWishes): Promise<any> {
  const door = new Door()
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
    channels: parts.flatMap(({ channels }) => channels).map((channel) => channelFor(of, channel, user_id)),
    threads: threads.map((thread) => channelOf(of, thread)),
    presences: present.map(({ user }) => presenceOf(of, user.id, statusOf(user.id))),
    voice_states: voiceStates.map((state) => voiceStateOf(of, state)),
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
function sorted(guild: any): any {
  if (!guild) return guild
  const byId = (rows: { id: string }[]) => rows.toSorted((one, other) => one.id.localeCompare(other.id))
  const { channels, threads, roles } = guild
  return { ...guild, channels: byId(channels), threads: byId(threads), roles: byId(roles) }
}

const statusOf = (userId: number): Status => (userId % 2 === 0 ? 'online' : 'offline')
const ALL_INTENTS = 2 ** 26 - 1
const wishesOf = ({ id }: Person, more: Partial<GuildWishes> = {}): GuildWishes => ({
  user_id: id,
  intents: ALL_INTENTS,
  largeThreshold: 50,
  statusOf,
  voiceStates: [],
  ...more,
})

/** A server of alice's with bob, a forum, threads, an emoji, a date, and bots with different permissions. */
async function scene() {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id, everyone } = await place(alice, bob)
  await sql`insert into emojis ${sql({ server_id, name: 'owl', key: randomUUID(), creator_id: bob.id })}`
  const path = `/api/servers/${server_id}`
  const create = async (what: string, draft: object): Promise<number> => {
    const { status, body } = await alice.post(`${path}/${what}`, draft)
    expect(status).toBe(201)
    return body.id
  }
  const category = await create('channels', { name: 'Birds', type: 'category' })
  const forum = await create('channels', { name: 'help', type: 'forum' })
  const channels = [channel_id, category, forum, await create('channels', { name: 'one', type: 'text' })]
  channels.push(await create('channels', { name: 'two', type: 'text', parent_id: category }))
  const roles = [await create('roles', { name: 'Keepers' }), await create('roles', { name: 'Wardens' })]
  const own = { Plain: 0, Ruler: permissions('administrator'), Keeper: permissions('manage_roles', 'view_channel') }
  const bots: Person[] = []
  for (const [name, bits] of Object.entries({ ...own, Sitter: permissions('manage_threads') })) {
    const bot = await botOf(alice, name)
    await addBot(alice, server_id, bot, bits)
    bots.push(bot)
  }
  const [starts_at, ends_at] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString())
  await create('events', { title: 'Owls', starts_at, ends_at, time_zone: 'UTC', place: { channel_id } })
  return { alice, bob, server_id, channel_id, everyone, path, channels, category, forum, roles, bots }
}

const ROUNDS = 40

for (const seed of [3, 4]) {
  test(`each bot gets what a translation of its own gives it, after each random change (seed ${seed})`, async () => {
    const { alice, bob, server_id, everyone, path, channels, category, forum, roles, bots } = await scene()
    const random = seeded(seed)
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
    const bits = ['view_channel', 'manage_roles', 'manage_threads', 'administrator', 'read_history'] as const
    const targets = [...bots, bob]
    const threads: number[] = []
    const overwrite = () => ({ [pick(['allow', 'deny'])]: permissions(pick(bits.slice(0, 3))) })
    const changes: Record<string, (n: number) => Promise<unknown>> = {
      role: () => alice.put(`/api/roles/${pick([everyone, ...roles])}`, { permissions: permissions(pick([...bits])) }),
      overwrite: () =>
        alice.put(`/api/channels/${pick(channels)}/permissions/${pick([everyone, ...roles])}`, overwrite()),
      lift: () => alice.delete(`/api/channels/${pick(channels)}/permissions/${pick([everyone, ...roles])}`),
      'own overwrite': () =>
        alice.put(`/api/channels/${pick(channels)}/permissions/members/${pick(targets).id}`, overwrite()),
      'lift own': () => alice.delete(`/api/channels/${pick(channels)}/permissions/members/${pick(targets).id}`),
      grant: () => alice.post(`${path}/members/${pick(targets).id}/roles/${pick(roles)}`),
      take: () => alice.delete(`${path}/members/${pick(targets).id}/roles/${pick(roles)}`),
      move: () => alice.put(`/api/channels/${pick(channels)}`, { parent_id: pick([null, category]) }),
      say: () => alice.post(`/api/channels/${pick(channels)}/messages`, { content: 'Hello' }),
      rename: (n) => alice.put(`/api/channels/${pick(channels)}`, { topic: `Topic ${n} ж` }),
      nickname: (n) => alice.put(`${path}/members/${pick(targets).id}`, { nickname: `Nick ${n}` }),
      name: (n) => bob.put('/api/auth/display-name', { display_name: `Name ${n}` }),
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
      timeout: () =>
        alice.put(`${path}/members/${pick(targets).id}`, {
          timed_out_until: pick([null, new Date(Date.now() + 3_600_000).toISOString()]),
        }),
    }
    const door = new Door()
    const intents = [ALL_INTENTS, INTENT.guilds, INTENT.guilds | INTENT.members]
    for (let round = 0; round < ROUNDS; round++) {
      const name = pick(Object.keys(changes))
      await changes[name]?.(round)
      const requests = bots.map((bot) => ({
        bot,
        wishes: wishesOf(bot, { intents: pick(intents), largeThreshold: pick([50, 250, 3]) }),
      }))
      // All at once, so that they share translations that are being made.
      const guilds = await Promise.all(
        requests.map(async ({ bot, wishes }) => door.guild(await door.snapshot(bot, server_id), wishes)),
      )
      for (const [at, { bot, wishes }] of requests.entries()) {
        const what = `${round}: ${name}, ${bot.display_name}`
        expect({ what, ...sorted(guilds[at]) }).toEqual({ what, ...sorted(await translated(bot, server_id, wishes)) })
      }
    }
    door.views.stop()
  })
}

test('a server is translated once for bots with different roles, until something in it changes', async () => {
  const { alice, server_id, channel_id, bots } = await scene()
  const door = new Door()
  /** The translation that all bots share. Those that come first, at the same moment, read the server by themselves. */
  const shared = async () => {
    for (;;) {
      const snapshots = await Promise.all(bots.map((bot) => door.snapshot(bot, server_id)))
      const texts = await Promise.all(snapshots.map((snapshot) => snapshot && door.guilds.of(snapshot.texts)))
      if (new Set(texts).size === 1 && texts[0]) return texts[0]
    }
  }
  const first = await shared()
  expect(await shared()).toBe(first)
  await say(alice, channel_id, 'An owl')
  const next = await shared()
  expect(next).not.toBe(first)
  expect(await shared()).toBe(next)
  door.views.stop()
})

test('a bot gets the overwrites of others only where it may list them, and never those of another bot', async () => {
  const { alice, server_id, channel_id, bots } = await scene()
  const [plain, ruler, keeper, sitter] = bots as [Person, Person, Person, Person]
  for (const { id } of [plain, sitter])
    expect(
      (await alice.put(`/api/channels/${channel_id}/permissions/members/${id}`, { allow: permissions('pin_messages') }))
        .status,
    ).toBe(200)
  const door = new Door()
  const listedBy = async (bot: Person) => {
    const guild = await door.guild(await door.snapshot(bot, server_id), wishesOf(bot))
    const { id } = guild.members.find(({ user }: any) => user.username === bot.display_name).user
    const rows: { id: string; type: number }[] = guild.channels.flatMap((one: any) => one.permission_overwrites)
    return { id, ofMembers: rows.filter(({ type }) => type === 1).map((row) => row.id) }
  }
  const [byPlain, byRuler, byKeeper, bySitter] = [
    await listedBy(plain),
    await listedBy(ruler),
    await listedBy(keeper),
    await listedBy(sitter),
  ]
  expect(byPlain.ofMembers).toEqual([byPlain.id])
  expect(bySitter.ofMembers).toEqual([bySitter.id])
  for (const { ofMembers } of [byRuler, byKeeper])
    expect(ofMembers.toSorted()).toEqual([byPlain.id, bySitter.id].toSorted())
  door.views.stop()
})

test('a bot that has lost a channel since its snapshot was read gets no threads of it', async () => {
  const { alice, server_id, channel_id, everyone, bots } = await scene()
  const [plain, ruler] = bots as [Person, Person]
  const door = new Door()
  const [ofPlain, ofRuler] = [await door.snapshot(plain, server_id), await door.snapshot(ruler, server_id)]
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny })).status).toBe(200)
  expect((await alice.post(`/api/channels/${channel_id}/threads`, { name: 'A secret' })).status).toBe(201)
  expect((await door.guild(ofRuler, wishesOf(ruler))).threads).toMatchObject([{ name: 'A secret' }])
  expect((await door.guild(ofPlain, wishesOf(plain))).threads).toEqual([])
  door.views.stop()
})

test('what translations keep is counted with the cached servers, and makes room like these', async () => {
  const { server_id, bots } = await scene()
  const [plain] = bots as [Person]
  const door = new Door()
  const snapshot = (await door.snapshot(plain, server_id)) as ServerSnapshot
  const guild = await door.guild(snapshot, wishesOf(plain))
  expect(door.charged).toBeGreaterThan(JSON.stringify([guild.channels, guild.members, guild.roles]).length)
  const before = door.charged
  await door.guild(snapshot, wishesOf(plain))
  expect(door.charged).toBe(before)
  expect((await door.snapshot(plain, server_id))?.texts).toBe(snapshot.texts)
  door.views.charge(snapshot.texts, 64 * 1024 * 1024)
  expect((await door.snapshot(plain, server_id))?.texts).not.toBe(snapshot.texts)
  door.views.stop()
})
