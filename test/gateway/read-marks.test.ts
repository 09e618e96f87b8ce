import { expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { ServerRemoval } from '../../src/features/lifecycle/server-removal.ts'
import { MarkList, packedLists } from '../../src/gateway/mark-list.ts'
import { happenings, type Pick, seeded, usual, type World } from '../support/happenings.ts'
import { newServer, type Person, person, say, standard, until } from '../support/harness.ts'
import { ClientModel } from '../support/client-model.ts'
import { deleteAccountOf, passersBy, peopleWithPassword, write } from '../support/people.ts'
import { place } from '../support/places.ts'
import { listDifferences, misplacedLists } from '../support/read-mark-lists.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

interface Mark {
  channel_id: number
  message_id: number
}
/** A row of `read_mark_lists`. */
interface List {
  server_id: number
  part: number
  marks: Mark[]
}

async function listOf(...lists: List[]): Promise<MarkList> {
  const rows = lists.map(({ marks, ...list }) => ({
    ...list,
    channel_ids: marks.map(({ channel_id }) => channel_id),
    message_ids: marks.map(({ message_id }) => message_id),
  }))
  const [row] = await sql<[{ marks: string }]>`
    select ${packedLists(sql)} as marks from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as list (server_id bigint, part bigint, channel_ids bigint[], message_ids bigint[])`
  return new MarkList(row.marks)
}

function marksIn(list: MarkList) {
  const rows: (Mark & { owner: number })[] = []
  list.each((channel_id, message_id, owner) => rows.push({ channel_id, message_id, owner }))
  return rows
}

test('marks are found by channel in any order of reading and asking, up to the largest id', async () => {
  const largest = Number.MAX_SAFE_INTEGER
  const marks = [1, 4, 6, 9, largest].map((channel_id) => ({ channel_id, message_id: largest - channel_id }))
  const others = [{ channel_id: 5, message_id: 1 }]
  for (const order of [
    [1, 4, 6, 9, largest],
    [largest, 9, 6, 4, 1],
    [6, 1, largest, 4, 9],
  ]) {
    const list = await listOf({ server_id: largest, part: 0, marks: others }, { server_id: 7, part: 0, marks })
    list.enter(7)
    expect(order.map((id) => list.claim(id, 0))).toEqual(order.map((id) => largest - id))
    expect([0, 2, 5, 7, 10, largest - 1].map((id) => list.claim(id, 0, 3))).toEqual([3, 3, 3, 3, 3, 3])
    expect(list.unclaimed()).toEqual([5])
    list.enter(largest)
    expect([1, 4, 5, 6].map((id) => list.claim(id, 1))).toEqual([0, 0, 1, 0])
    list.enter(8)
    expect(list.claim(1, 0, 3)).toBe(3)
  }
})

test('a list keeps who claimed a mark, and leaves dropped ones out', async () => {
  const mark = (channel_id: number) => ({ channel_id, message_id: channel_id * 10 })
  const list = await listOf(
    { server_id: 0, part: 1, marks: [mark(200)] },
    { server_id: 9, part: 0, marks: [1, 2, 3, 5, 7].map(mark) },
    { server_id: 0, part: 0, marks: [mark(4), mark(8)] },
  )
  list.enter(9)
  list.claim(2, 7)
  list.claim(5, 7)
  list.enter(MarkList.NO_SERVER)
  list.claim(4, MarkList.ELSEWHERE)
  list.claim(200, 3)
  list.claim(2, 5)
  expect(list.unclaimed()).toEqual([8, 1, 3, 7])
  list.keepUnclaimed(new Set([1, 4, 8]))
  list.enter(9)
  for (const id of [5, 4, 6]) list.drop(id)
  expect(marksIn(list)).toEqual([
    { ...mark(4), owner: MarkList.ELSEWHERE },
    { ...mark(8), owner: MarkList.ELSEWHERE },
    { ...mark(200), owner: 3 },
    { ...mark(1), owner: MarkList.ELSEWHERE },
    { ...mark(2), owner: 7 },
  ])
})

test('an account without marks has an empty list', async () => {
  for (const list of [await listOf(), await listOf({ server_id: 1, part: 0, marks: [] })]) {
    list.enter(1)
    expect([list.claim(1, 0, 5), list.unclaimed(), marksIn(list)]).toEqual([5, [], []])
  }
})

test('ready has all marks but those of archived threads, and of a listed server none of what is seen', async () => {
  const [alice, wren] = await passersBy(parley, 'alice', 'wren')
  const { server_id, channel_id, everyone } = await place(alice, wren)
  const answer = await alice.post(`/api/servers/${server_id}/channels`, { name: 'secret', type: 'text' })
  const secret: number = answer.body.id
  const thread = async () => {
    const { id: message_id } = await say(alice, channel_id, 'An owl')
    const { status, body } = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls', message_id })
    expect(status).toBe(201)
    return body.id as number
  }
  const [followed, passed, archived] = [await thread(), await thread(), await thread()]
  const follower = (id: number) => ({ channel_id: id, user_id: wren.id })
  await sql`insert into thread_followers ${sql([followed, archived].map(follower))} on conflict do nothing`
  const { channel_id: dm } = await write(wren, alice, 'A heron')
  // Nothing is unread.
  const read = [channel_id, secret, followed, passed, archived, dm]
  const mark = (id: number) => ({ channel_id: id, message_id: 1e12 + id })
  await sql`insert into read_marks ${sql(read.map((id) => ({ ...mark(id), user_id: wren.id })))}
    on conflict (user_id, channel_id) do update set message_id = excluded.message_id`
  expect((await alice.put(`/api/channels/${archived}`, { archived: true })).status).toBe(200)
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${secret}/permissions/${everyone}`, { deny })).status).toBe(200)
  const byChannel = (rows: Mark[]) => rows.toSorted((a, b) => a.channel_id - b.channel_id)
  const [whole, lazy] = [await connect(wren), await connect(wren, '&servers=0')]
  const living = read.filter((id) => id !== archived)
  expect(byChannel(whole.of('ready')[0]?.d.read_marks)).toEqual(byChannel(living.map(mark)))
  const listed = byChannel(lazy.of('ready')[0]?.d.read_marks)
  expect(listed).toContainEqual(mark(dm))
  for (const id of [channel_id, followed, archived]) expect(listed).not.toContainEqual(mark(id))
  await lazy.command('server.open', { server_ids: [server_id] })
  const opened: Mark[] = lazy.of('server.opened')[0]?.d.read_marks
  expect(byChannel(opened)).toEqual(byChannel(living.filter((id) => id !== dm).map(mark)))
  for (const gateway of [whole, lazy]) gateway.close()
})

/** The marks that a full opening has, found channel by channel. */
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
  'archive a channel': (world, who, pick) => who.put(`/api/channels/${pick(world.channels)}`, { archived: true }),
  'delete a channel': (world, who, pick, n) =>
    n % 3 === 0 ? who.delete(`/api/channels/${pick(world.channels)}`) : Promise.resolve(),
}

for (const seed of [6, 7]) {
  test(`the marks of an opening equal those found channel by channel, after anything (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
    const [alice, bob, carol] = people as [Person, Person, Person]
    const homes = [await newServer(alice, bob, carol), await newServer(bob, alice), await newServer(carol, alice, bob)]
    const clients = await Promise.all(people.map((who) => ClientModel.open(who)))
    const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
    const world: World = { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients }
    const all = { ...happenings, ...reading }
    const names = [...Object.keys(happenings), ...usual, ...Object.keys(reading), ...Object.keys(reading)]
    for (let round = 0; round < 40; round++) {
      const acts = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) =>
        all[pick(names) as string]?.(world, pick(people) as Person, pick, round * 10 + at),
      )
      await Promise.all(acts)
      if (round % 8 < 7) continue
      expect(await listDifferences(sql)).toEqual([] as never)
      expect(await misplacedLists(sql)).toEqual([] as never)
      for (const who of people) await expectSlowMarks(who)
    }
    for (const { gateway } of clients) gateway.close()
  })
}

test('marks of deleted channels are not sent, and go with the membership, the account or the server', async () => {
  const [alice, wren, robin, finch] = await peopleWithPassword(parley, 'alice', 'wren', 'robin', 'finch')
  const { server_id, channel_id } = await place(alice, wren, robin, finch)
  const answer = await alice.post(`/api/servers/${server_id}/channels`, { name: 'gone', type: 'text' })
  const deletedId: number = answer.body.id
  const { id: message_id } = await say(alice, channel_id, 'An owl')
  const readers = [wren, robin, finch].map(({ id }) => id).toSorted((a, b) => a - b)
  for (const user_id of readers)
    for (const id of [deletedId, channel_id])
      await sql`insert into read_marks ${sql({ user_id, channel_id: id, message_id })}`
  const listed = () => sql<{ user_id: number; channel_ids: number[] }[]>`
    select user_id, channel_ids from read_mark_lists where server_id = ${server_id} order by user_id`
  expect((await alice.delete(`/api/channels/${deletedId}`)).status).toBe(204)
  expect(await listed()).toEqual(readers.map((user_id) => ({ user_id, channel_ids: [channel_id, deletedId] })) as never)
  const live = await connect(wren)
  expect(live.of('ready')[0]?.d.read_marks).toEqual([{ channel_id, message_id }])
  live.close()
  // Only marks of deleted channels are left.
  expect((await alice.delete(`/api/channels/${channel_id}`)).status).toBe(204)
  expect((await wren.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect((await deleteAccountOf(robin)).status).toBe(204)
  expect((await listed()).map(({ user_id }) => user_id)).toEqual([finch.id])
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  const removal = new ServerRemoval(parley.parts)
  await until(async () => {
    await removal.run()
    return (await sql`select from servers where id = ${server_id}`).length === 0
  })
  removal.stop()
  expect(await listed()).toEqual([] as never)
})

test('a channel that is added to a list takes deleted ones out', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { server_id, channel_id } = await place(alice)
  const creations = ['one', 'two'].map((name) =>
    alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' }).then(({ body }) => body.id as number),
  )
  const [one = 0, two = 0] = (await Promise.all(creations)).toSorted((a, b) => a - b)
  const read = (id: number) => sql`insert into read_marks ${sql({ user_id: alice.id, channel_id: id, message_id: id })}`
  for (const id of [one, channel_id]) await read(id)
  expect((await alice.delete(`/api/channels/${one}`)).status).toBe(204)
  await read(two)
  expect(await sql`select channel_ids, message_ids from read_mark_lists where user_id = ${alice.id}`).toEqual([
    { channel_ids: [channel_id, two], message_ids: [channel_id, two] },
  ] as never)
})

test('sessions that read, mark as unread and forget at once leave lists that equal the marks', async () => {
  const people = await passersBy(parley, 'alice', 'bob', 'carol')
  const [alice] = people
  const { server_id, channel_id } = await place(...people)
  const creations = Array.from({ length: 8 }, (_, at) =>
    alice.post(`/api/servers/${server_id}/channels`, { name: `channel ${at}`, type: 'text' }),
  )
  const ids = [channel_id, ...(await Promise.all(creations)).map(({ body }) => body.id as number)]
  const run = async (seed: number) => {
    const random = seeded(seed)
    const below = (count: number) => Math.floor(random() * count)
    for (let step = 0; step < 120; step++) {
      const user_id = people[below(people.length)]?.id ?? 0
      // Every session locks in the same order.
      const chosen = ids.filter((_, at) => at % 3 === step % 3).slice(0, below(2) ? 3 : 1)
      const messages = chosen.map(() => below(1000))
      if (below(3) === 0)
        await sql`delete from read_marks where user_id = ${user_id} and channel_id = ${ids[below(9)] ?? 0}`
      else
        await sql`insert into read_marks as mark (user_id, channel_id, message_id)
          select ${user_id}::bigint, * from unnest(${chosen}::bigint[], ${messages}::bigint[])
          on conflict (user_id, channel_id) do update set message_id = excluded.message_id
          where mark.message_id < excluded.message_id or ${below(2) === 0}`
    }
  }
  await Promise.all([11, 12, 13, 14].map(run))
  expect(await listDifferences(sql)).toEqual([] as never)
  expect(await misplacedLists(sql)).toEqual([] as never)
})
