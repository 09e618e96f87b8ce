import { expect, test } from 'bun:test'
import { consistentRead } from '../../src/gateway/access.ts'
import { MarkCache, type MarkReading } from '../../src/gateway/mark-cache.ts'
import { markNow } from '../../src/gateway/replay.ts'
import { ClientModel } from '../support/client-model.ts'
import { happenings, type Pick, seeded, usual, type World } from '../support/happenings.ts'
import { newServer, type Person, person, say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

interface Mark {
  channel_id: number
  message_id: number
}
type Memberships = Parameters<MarkReading['load']>[2][number]['memberships']

/** Enough marks for a list to be cached: a server of these people, with many channels that all of them have read. */
async function library(owner: Person, ...others: Person[]) {
  const { server_id } = await place(owner, ...others)
  await sql`insert into channels (server_id, name, type, position)
    select ${server_id}, 'shelf-' || n, 'text', n from generate_series(1, 120) n`
  for (const { id } of [owner, ...others])
    await sql`insert into read_marks (user_id, channel_id, message_id)
      select ${id}, id, 1 from channels where server_id = ${server_id}`
  const channels = await sql<{ id: number }[]>`select id from channels where server_id = ${server_id} order by id`
  return { server_id, channels: channels.map(({ id }) => id) }
}

/** The memberships of an account, in the form in which openings pass them. */
const membershipsOf = async ({ id }: Person): Promise<Memberships> => {
  const rows = await sql<{ server_id: number; joined_ms: number }[]>`
    select server_id, date_part('epoch', joined_at) * 1000 as joined_ms
    from members where user_id = ${id} order by server_id`
  return rows.map((member) => ({ member }))
}

/** The marks of an account, by channel. */
async function marksOf(cache: MarkCache, who: Person, threads: { id: number }[] = []): Promise<Map<number, number>> {
  const memberships = await membershipsOf(who)
  const reading = cache.begin('primary')
  const lists = await consistentRead(sql, async (tx) => {
    const [mark, moved] = await Promise.all([markNow(tx), reading.moved(tx, [who.id])])
    return reading.load(tx, mark, [{ user_id: who.id, memberships, threads }], moved)
  })
  const { channels = [], messages = [] } = lists.get(who.id) ?? {}
  return new Map([...channels].map((channelId, at) => [channelId, messages[at] ?? 0]))
}

/** Moves a mark without an event, so that only a list that is read anew shows it. */
const moveSilently = (who: Person, channelId: number, messageId: number) =>
  sql`update read_marks set message_id = ${messageId} where user_id = ${who.id} and channel_id = ${channelId}`

test('a list is read once; after that, only marks that moved are read', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { channels } = await library(alice, wren)
  const [one = 0, two = 0] = channels
  const cache = new MarkCache(3600)
  expect([...(await marksOf(cache, wren)).keys()]).toEqual(channels)
  await moveSilently(wren, two, 7)
  const { id: message_id } = await say(alice, one, 'An owl')
  const gateway = await connect(wren)
  expect(await gateway.command('channel.ack', { channel_id: one, message_id })).toHaveProperty('d')
  gateway.close()
  const marks = await marksOf(cache, wren)
  expect([marks.get(one), marks.get(two), marks.size]).toEqual([message_id, 1, channels.length])
  // The mark of a followed thread comes without an event.
  const { channel_id: late } = await place(alice)
  await sql`insert into read_marks (user_id, channel_id, message_id) values (${wren.id}, ${late}, 9)`
  expect((await marksOf(cache, wren)).get(late)).toBeUndefined()
  expect((await marksOf(cache, wren, [{ id: two }, { id: late }])).get(late)).toBe(9)
  await moveSilently(wren, two, 8)
  cache.forgetAll()
  expect((await marksOf(cache, wren)).get(two)).toBe(8)
  expect((await wren.post(`/api/channels/${one}/unread`, { message_id })).status).toBe(200)
  expect((await marksOf(cache, wren)).get(one)).toBe(message_id - 1)
})

test('a list whose events may have left the log is read anew, and so is one of other memberships', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { server_id, channels } = await library(alice, wren)
  const [one = 0] = channels
  const shortlived = new MarkCache(0)
  const cache = new MarkCache(3600)
  for (const each of [shortlived, cache]) await marksOf(each, wren)
  await moveSilently(wren, one, 7)
  expect([(await marksOf(shortlived, wren)).get(one), (await marksOf(cache, wren)).get(one)]).toEqual([7, 1])
  // The account leaves, which deletes its marks, and joins again.
  const { code } = (await alice.post('/api/invites', { server_id })).body
  expect((await wren.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect((await wren.post(`/api/invites/${code}/join`)).status).toBe(201)
  expect((await marksOf(cache, wren)).size).toBe(0)
  expect(cache.bytes).toBe(0)
})

test('an event that has been blanked makes the whole list be read', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { channels } = await library(alice, wren)
  const [one = 0, two = 0] = channels
  const { id: message_id } = await say(alice, one, 'An owl')
  await moveSilently(wren, one, message_id)
  const cache = new MarkCache(3600)
  await marksOf(cache, wren)
  expect((await wren.post(`/api/channels/${one}/unread`, { message_id })).status).toBe(200)
  await moveSilently(wren, two, 7)
  await sql`update events set body = null where user_id = ${wren.id} and type = 'channel.read'`
  const marks = await marksOf(cache, wren)
  expect([marks.get(one), marks.get(two)]).toEqual([message_id - 1, 7])
})

test('marks of an account with very many events are all read', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { channels } = await library(alice, wren)
  const [one = 0] = channels
  const cache = new MarkCache(3600)
  const addEvents = (count: number) => sql`insert into events (type, resource, topic, user_id, body)
    select 'note.updated', 'note:' || n, 'user.' || ${wren.id}, ${wren.id}, '{}'
    from generate_series(1, ${count}::int) n`
  await marksOf(cache, wren)
  await moveSilently(wren, one, 7)
  await addEvents(1000)
  expect((await marksOf(cache, wren)).get(one)).toBe(1)
  await addEvents(2001)
  expect((await marksOf(cache, wren)).get(one)).toBe(7)
})

test('a reading that began before a change neither sees nor stores anything later', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { channels } = await library(alice, wren)
  const [one = 0] = channels
  const { id: message_id } = await say(alice, one, 'An owl')
  const memberships = await membershipsOf(wren)
  const owner = { user_id: wren.id, memberships, threads: [] }
  const cache = new MarkCache(3600)
  const early = async (meanwhile: () => Promise<unknown>) => {
    const reading = cache.begin('primary')
    const lists = await consistentRead(sql, async (tx) => {
      const mark = await markNow(tx)
      await meanwhile()
      return reading.load(tx, mark, [owner], await reading.moved(tx, [wren.id]))
    })
    return lists.get(wren.id)?.messages[0]
  }
  for (const isCached of [false, true]) {
    const unread = async () => {
      expect((await wren.post(`/api/channels/${one}/unread`, { message_id })).status).toBe(200)
      expect((await marksOf(cache, wren)).get(one)).toBe(message_id - 1)
    }
    await moveSilently(wren, one, message_id)
    cache.forgetAll()
    if (isCached) await marksOf(cache, wren)
    expect([isCached, await early(unread)]).toEqual([isCached, message_id])
    expect((await marksOf(cache, wren)).get(one)).toBe(message_id - 1)
  }
  // Another database may answer since then, so nothing is stored.
  cache.forgetAll()
  await early(async () => cache.forgetAll())
  expect(cache.bytes).toBe(0)
})

test('all lists have a bound, a list has a share of it, and short ones and unused ones are not kept', () => {
  const cache = new MarkCache(3600)
  const at = (now_s: number) => ({ s: 1, from_xid: '1', seen: '1:1:', now_s })
  const listOf = (count: number, now_s = 0) => {
    const numbers = new Float64Array(count)
    return {
      marks: { channels: numbers, messages: numbers },
      memberships: '',
      mark: at(now_s),
      source: 'primary' as const,
    }
  }
  for (let id = 1; id <= 3000; id++) cache.store(id, 1e9, listOf(1600))
  const bytesMax = 32 * 1024 * 1024
  expect(cache.bytes).toBeLessThanOrEqual(bytesMax)
  expect(cache.bytes).toBeGreaterThan(0.9 * bytesMax)
  expect([cache.find(1, 1e9, 'primary'), cache.find(3000, 1e9, 'primary')?.marks.channels.length]).toEqual([
    undefined,
    1600,
  ])
  const before = cache.bytes
  cache.store(4000, 1e9, listOf(70_000))
  cache.store(4001, 1e9, listOf(10))
  expect([cache.find(4000, 1e9, 'primary'), cache.find(4001, 1e9, 'primary'), cache.bytes]).toEqual([
    undefined,
    undefined,
    before,
  ])
  // A list that has become too long leaves the cache.
  cache.store(3000, 1e9, listOf(70_000))
  expect(cache.find(3000, 1e9, 'primary')).toBeUndefined()
  cache.store(5000, 1e9, listOf(100, 3601))
  expect(cache.find(2999, 1e9, 'primary')).toBeUndefined()
  expect(cache.bytes).toBeLessThan(5000)
})

test('a list that was read on a replica is not used by reads on the primary', () => {
  const cache = new MarkCache(3600)
  const numbers = new Float64Array(200)
  const list = { marks: { channels: numbers, messages: numbers }, memberships: '' }
  const mark = { s: 1, from_xid: '1', seen: '1:1:', now_s: 0 }
  cache.store(1, 1, { ...list, mark, source: 'replica' })
  cache.store(2, 1, { ...list, mark, source: 'primary' })
  const found = (userId: number) => (['primary', 'replica'] as const).map((source) => cache.find(userId, 9, source))
  expect(found(1).map(Boolean)).toEqual([false, true])
  expect(found(2).map(Boolean)).toEqual([true, true])
})

/** The marks that an opening has, found channel by channel. */
async function slowMarks(userId: number) {
  return sql<(Mark & { newest_id?: number; mention_count?: number })[]>`
    with seen as materialized (
      select cp.channel_id as id from members m join channel_permissions cp using (server_id, user_id)
      where m.user_id = ${userId} and can_view(cp.permissions)
      union select channel_id from conversations_of(${userId}, 1000) where other_id is null or unread_count > 0
      union select channel_id from read_marks where user_id = ${userId} and moved_back
      union select f.channel_id from thread_followers f join channels t on t.id = f.channel_id
        join members m on m.server_id = t.server_id and m.user_id = f.user_id
        join channel_permissions cp on cp.server_id = t.server_id and cp.user_id = f.user_id
          and cp.channel_id = t.parent_id and can_view(cp.permissions)
        where f.user_id = ${userId} and t.archived_at is null and t.hidden is not true
    ), unread as materialized (
      select u.* from unread_of(${userId}, array(select id from seen)) u where u.newest_id is not null
    )
    select channel_id, message_id, newest_id, mention_count from unread
    union all
    select mark.channel_id, mark.message_id, null, null from read_marks mark join channels c on c.id = mark.channel_id
    where mark.user_id = ${userId} and c.archived_at is null and not exists (
      select from unread u where u.channel_id = mark.channel_id)
    order by channel_id`
}

async function expectSlowMarks(who: Person): Promise<void> {
  const gateway = await connect(who)
  const fast: Mark[] = gateway.of('ready')[0]?.d.read_marks
  const slow = (await slowMarks(who.id)).map(({ newest_id, mention_count, ...mark }) =>
    newest_id ? { ...mark, newest_id, mention_count } : mark,
  )
  expect(fast.toSorted((a, b) => a.channel_id - b.channel_id) as unknown[]).toEqual(slow)
  gateway.close()
}

const reading: typeof happenings = {
  'mark as unread': (world, who, pick) =>
    who.post(`/api/channels/${pick(world.channels)}/unread`, { message_id: pick(world.messages) }),
  'mark a server as read': (world, who, pick) => who.post(`/api/servers/${pick(world.servers)}/read-all`),
  'begin a thread': async (world, who, pick, n) => {
    const { status, body } = await who.post(`/api/channels/${pick(world.channels)}/threads`, { name: `Thread ${n}` })
    if (status === 201) world.channels.push(body.id)
  },
  'mention somebody': (world, who, pick) =>
    who.post(`/api/channels/${pick(world.channels)}/messages`, { content: `<@${pick(world.people)?.id}>, an owl` }),
  'archive a channel': (world, who, pick) => who.put(`/api/channels/${pick(world.channels)}`, { archived: true }),
  'delete a channel': (world, who, pick, n) =>
    n % 3 === 0 ? who.delete(`/api/channels/${pick(world.channels)}`) : Promise.resolve(),
}

test('every change of a mark that the cache cannot know otherwise leaves an event of its transaction', async () => {
  const { people, world, pick, clients } = await worldOf(8)
  await sql`create table silent (what text)`
  await sql`create function demand_mark_event() returns trigger language plpgsql as $$
    declare
      mark read_marks := coalesce(new, old);
    begin
      if exists (select from events e where e.user_id = mark.user_id and e.xid = pg_current_xact_id()
          and (e.type like 'channel.%' or e.type = 'thread.followed')
          and coalesce(e.body ->> 'channel_id', e.body ->> 'id')::bigint = mark.channel_id) then
        return null;
      end if;
      -- The mark of a thread that the account has begun to follow.
      if tg_op = 'INSERT' and exists (
        select from thread_followers f where f.user_id = mark.user_id and f.channel_id = mark.channel_id) then
        return null;
      end if;
      -- The membership, the account or the channel has ended.
      if tg_op = 'DELETE' and not exists (select from channels c join members m using (server_id)
        where c.id = mark.channel_id and m.user_id = mark.user_id) then
        return null;
      end if;
      insert into silent values (tg_op || ' ' || mark::text);
      return null;
    end $$`
  await sql`create constraint trigger demand_mark_event after insert or update or delete on read_marks
    deferrable initially deferred for each row execute function demand_mark_event()`
  const all = { ...happenings, ...reading }
  const names = [...Object.keys(happenings), ...usual, ...Object.keys(reading), ...Object.keys(reading)]
  for (let round = 0; round < 250; round++) await all[pick(names) ?? '']?.(world, pick(people) as Person, pick, round)
  for (const { gateway } of clients) gateway.close()
  expect((await sql<{ what: string }[]>`select what from silent`).map(({ what }) => what)).toEqual([])
  // The watch itself works.
  expect(
    (await sql`update read_marks set message_id = 0 where channel_id = any(${world.channels})`).count,
  ).toBeGreaterThan(0)
  expect((await sql`select what from silent`).length).toBeGreaterThan(0)
  await sql`drop trigger demand_mark_event on read_marks`
})

/** Three people in servers of each other, with clients that read what they are sent. */
async function worldOf(seed: number) {
  const random = seeded(seed)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice), await newServer(carol, alice, bob)]
  // Nothing of what follows concerns it, so that everybody keeps enough marks.
  await library(...(people as [Person]))
  const clients = await Promise.all(people.map((who) => ClientModel.open(who)))
  const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
  const world: World = { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients }
  return { random, pick, people, world, clients }
}

for (const seed of [6, 7]) {
  test(`the marks of an opening equal those found channel by channel, after anything (seed ${seed})`, async () => {
    const { random, pick, people, world, clients } = await worldOf(seed)
    const all = { ...happenings, ...reading }
    const names = [...Object.keys(happenings), ...usual, ...Object.keys(reading), ...Object.keys(reading)]
    for (let round = 0; round < 40; round++) {
      const acts = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) =>
        all[pick(names) as string]?.(world, pick(people) as Person, pick, round * 10 + at),
      )
      await Promise.all(acts)
      if (round % 4 === 3) for (const who of people) await expectSlowMarks(who)
    }
    for (const { gateway } of clients) gateway.close()
  })
}
