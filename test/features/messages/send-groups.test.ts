import { expect, test } from 'bun:test'
import type { Transaction } from '../../../src/database/database.ts'
import { SendCoordinator } from '../../../src/events/send-coordinator.ts'
import { SendGroups } from '../../../src/features/messages/send-groups.ts'
import { eventsOf, type Outgoing } from '../../../src/features/messages/send-statements.ts'
import { type Person, standard } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql, write } = parley.parts
const coordinator = new SendCoordinator()
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const message = (author: Person, channel_id: number, content: string, more: Partial<Outgoing> = {}): Outgoing => ({
  author_id: author.id,
  to: { channel_id },
  content,
  reply_to_id: null,
  reply_mention: true,
  file_ids: [],
  forward_message_id: null,
  copies: [],
  sticker_id: null,
  nonce: null,
  poll: null,
  data: null,
  ...more,
})
const idOf = ({ body }: { body: string }): number => JSON.parse(body).id

/** The transactions that sent messages, and the ids of the messages, in the same order. */
async function sentIn(channel_id: number) {
  return sql<{ content: string; xid: string }[]>`
    select m.content, e.xid::text as xid from messages m join events e on e.resource = 'message:' || m.id
    where m.channel_id = ${channel_id} and e.type = 'message.created' order by m.id`
}

/** Holds a lock while `work` runs. */
const holding = <T>(lock: (tx: Transaction) => Promise<unknown>, work: () => Promise<T>): Promise<T> =>
  sql
    .begin(async (tx) => {
      await lock(tx)
      return { value: await work() }
    })
    .then(({ value }) => value)

test('concurrent messages are committed together, each with its own outcome', async () => {
  const there = await place(alice, bob)
  const elsewhere = await place(carol)
  const groups = new SendGroups(write, coordinator)
  const sent = await Promise.all([
    groups.send(message(alice, there.channel_id, 'First', { nonce: 'same' })),
    groups.send(message(bob, there.channel_id, 'Second "quoted" \\ {braces}, null\n🪶')),
    groups.send(message(alice, there.channel_id, 'First', { nonce: 'same' })),
    groups.send(message(alice, there.channel_id, 'Other', { nonce: 'same' })),
    groups.send(message(bob, elsewhere.channel_id, 'Not a member')),
    groups.send(message(bob, there.channel_id, 'Reply', { reply_to_id: Number.MAX_SAFE_INTEGER })),
    groups.send(message(bob, there.channel_id, 'File', { file_ids: [Number.MAX_SAFE_INTEGER] })),
    groups.send(message(carol, elsewhere.channel_id, 'Elsewhere')),
    groups.send(message(carol, Number.MAX_SAFE_INTEGER, 'Nowhere')),
  ])
  expect(sent.map(({ outcome }) => outcome)).toEqual([
    'created',
    'created',
    'repeated',
    'nonce_conflict',
    'not_found',
    'reply_unknown',
    'file_unknown',
    'created',
    'not_found',
  ])
  expect(sent[2]?.body).toBe(sent[0]?.body ?? '')
  const both = [...(await sentIn(there.channel_id)), ...(await sentIn(elsewhere.channel_id))]
  expect(both.map(({ content }) => content)).toEqual(['First', 'Second "quoted" \\ {braces}, null\n🪶', 'Elsewhere'])
  expect(new Set(both.map(({ xid }) => xid)).size).toBe(1)
})

test('while frames to many sockets wait, a group is collected until it is as large as the last one', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const groups = new SendGroups(write, coordinator)
  coordinator.noteAwaited(true)
  const send = async (author: Person, turns: number) => {
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => void setImmediate(resolve))
    return groups.send(message(author, channel_id, 'again'))
  }
  try {
    // If the machine hangs for some milliseconds, the group begins without late messages.
    await until(async () => {
      await Promise.all([alice, bob, carol].map((author) => send(author, 0)))
      await Promise.all([alice, bob, carol].map((author, at) => send(author, 2 * at)))
      return new Set((await sentIn(channel_id)).slice(-3).map(({ xid }) => xid)).size === 1
    })
  } finally {
    coordinator.noteAwaited(false)
  }
})

test('a message’s event equals its history, sent by itself or in a group, with files or without', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const roles = [await rank(parley, server_id, 0, alice), await rank(parley, server_id, 0, alice)]
  await sql`update members set nickname = 'Al "the owl"' where server_id = ${server_id} and user_id = ${alice.id}`
  const groups = new SendGroups(write, coordinator)
  const { id: fileId } = await upload(alice, 'owl.png', 'image/png', await png(2, 2))
  const first = await groups.send(message(alice, channel_id, `Hello <@${bob.id}>`, { nonce: 'once' }))
  const reply = { reply_to_id: idOf(first) }
  const more = [
    await groups.send(message(alice, channel_id, 'A picture', { file_ids: [fileId as number] })),
    ...(await Promise.all([
      groups.send(message(alice, channel_id, 'At once', reply)),
      groups.send(message(bob, channel_id, 'As well')),
    ])),
  ]
  const { body: page } = await alice.get<{ id: number }[]>(`/api/channels/${channel_id}/messages`)
  const events = [first, ...more].flatMap(eventsOf).map((event) => JSON.parse(event.body))
  expect(events).toEqual(page.toSorted((a, b) => a.id - b.id))
  expect(events[0].member).toEqual({ nickname: 'Al "the owl"', role_ids: roles })
})

test('a message that the database refuses fails by itself', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const groups = new SendGroups(write, coordinator)
  const [good, bad, other] = await Promise.allSettled([
    groups.send(message(alice, channel_id, 'Good')),
    groups.send(message(bob, channel_id, 'NUL \0')),
    groups.send(message(carol, channel_id, 'Good too')),
  ])
  expect([good.status, bad.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await sentIn(channel_id)).map(({ content }) => content)).toEqual(['Good', 'Good too'])
})

test('a message that waits for a lock stalls no other, and is sent when the lock is free', async () => {
  const [busy, free] = [await place(alice, bob), await place(carol)]
  const fileId = (await upload(alice, 'me.png', 'image/png', await png(8, 8))).id as number
  const locks: ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => tx`select change_access(${busy.server_id})`,
    (tx) => tx`select 1 from users where id = ${alice.id} for update`,
    (tx) => tx`select 1 from files where id = ${fileId} for update`,
    (tx) =>
      tx`select pg_advisory_xact_lock(hashtextextended('held', ${alice.id}::bigint * 1000003 + ${busy.channel_id}))`,
  ]
  for (const lock of locks) {
    const groups = new SendGroups(write, coordinator)
    let isSent = false
    const waiting = await holding(lock, async () => {
      const slow = groups.send(message(alice, busy.channel_id, 'Slow', { nonce: 'held', file_ids: [fileId] }))
      void slow.then(() => (isSent = true))
      for (let n = 0; n < 5; n++) {
        const sent = await groups.send(message(carol, free.channel_id, 'Quick'))
        expect(sent.outcome).toBe('created')
      }
      expect(isSent).toBe(false)
      return { slow }
    })
    expect((await waiting.slow).outcome).toBe('created')
    await sql`update files set message_id = null where id = ${fileId}`
    await sql`delete from message_nonces`
  }
})

test('many messages that wait for locks leave slots for others that go singly', async () => {
  const names = ['dora', 'emil', 'finn', 'gina', 'hugo']
  const owners = await passersBy(parley, ...names)
  const places = await Promise.all(owners.map((owner) => place(owner)))
  await befriend(alice, bob)
  const groups = new SendGroups(write, coordinator)
  const waiting = await holding(
    async (tx) => {
      for (const { server_id } of places) await tx`select change_access(${server_id})`
    },
    async () => {
      const slow = owners.map((owner, at) => groups.send(message(owner, places[at]?.channel_id ?? 0, 'Slow')))
      // The first message of a dm takes locks, so it goes without a group.
      const first = await groups.send({ ...message(alice, 0, 'Good morning'), to: { recipient_id: bob.id } })
      expect(first.outcome).toBe('created')
      return { slow }
    },
  )
  expect((await Promise.all(waiting.slow)).map(({ outcome }) => outcome)).toEqual(names.map(() => 'created'))
})

test('an account that sends very much leaves room in each group for others', async () => {
  const { channel_id } = await place(alice, bob)
  const groups = new SendGroups(write, coordinator)
  const flood = Array.from({ length: 90 }, (_, n) => groups.send(message(alice, channel_id, `Flood ${n}`)))
  await groups.send(message(bob, channel_id, 'Bob'))
  await Promise.all(flood)
  const rows = await sentIn(channel_id)
  expect(rows.find(({ content }) => content === 'Bob')?.xid).toBe(rows[0]?.xid ?? '')
  expect(rows.filter(({ content }) => content !== 'Bob').map(({ content }) => content)).toEqual(
    Array.from({ length: 90 }, (_, n) => `Flood ${n}`),
  )
  const groupsSent = Map.groupBy(rows, ({ xid }) => xid)
  expect([...groupsSent.values()].map((group) => group.length)).toEqual([64, 27])
})

test('an author’s messages keep their order, in any channel, also when one waits for a lock', async () => {
  const [one, other] = [await place(alice, bob), await place(alice)]
  const groups = new SendGroups(write, coordinator)
  const order: string[] = []
  const send = (author: Person, channel_id: number, content: string) =>
    groups.send(message(author, channel_id, content)).then((sent) => {
      order.push(content)
      return idOf(sent)
    })
  const ids = await holding(
    (tx) => tx`select change_access(${one.server_id})`,
    async () => {
      const sent = [
        send(alice, other.channel_id, 'before'),
        send(alice, one.channel_id, 'waits'),
        send(alice, other.channel_id, 'after'),
        send(bob, one.channel_id, 'waits too'),
      ]
      // Longer than a message waits for a lock before others get its slot.
      const waits = new Set<string>()
      await until(async () => {
        const waiting = await sql<{ began: string }[]>`select query_start::text as began from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        for (const { began } of waiting) waits.add(began)
        return waits.size > 1
      })
      return sent
    },
  ).then((sent) => Promise.all(sent))
  expect(ids.slice(0, 3)).toEqual(ids.slice(0, 3).toSorted((a, b) => a - b))
  expect(order.filter((content) => content !== 'waits too')).toEqual(['before', 'waits', 'after'])
})

test('direct messages go with a group, except the first one of a dm, which creates the dm', async () => {
  const people = await passersBy(parley, 'dora', 'erik')
  const [dora, erik] = people
  await befriend(dora, erik)
  const { channel_id } = await place(dora, erik)
  const groups = new SendGroups(write, coordinator)
  const direct = (author: Person, to: Person, content: string) =>
    groups.send({ ...message(author, 0, content), to: { recipient_id: to.id } })
  const first = await Promise.all([direct(dora, erik, 'First'), direct(erik, dora, 'Second')])
  expect(first.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
  const sent = await Promise.all([
    direct(dora, erik, 'Third'),
    groups.send(message(erik, channel_id, 'In a channel')),
    direct(erik, dora, 'Fourth'),
  ])
  const ids = [...first, ...sent].map(idOf)
  const rows = await sql<{ xid: string; messages: number; told: number }[]>`
    select xid::text, count(distinct resource)::int as messages, count(*)::int as told from events
    where type = 'message.created' and resource = any(${ids.map((id) => `message:${id}`)})
    group by xid order by min(id)`
  // Each side of a dm gets its own event.
  expect(rows.map(({ messages, told }) => [messages, told])).toEqual([
    [1, 2],
    [1, 2],
    [3, 5],
  ])
})

test('a group takes half of many channels’ messages, so the next has some too, but all of one author’s', async () => {
  const people = await passersBy(parley, ...Array.from({ length: 18 }, (_, n) => `many ${n}`))
  const sizes = async (authors: Person[]) => {
    const channels = await Promise.all(authors.map((author) => place(author)))
    const groups = new SendGroups(write, coordinator)
    const sent = await Promise.all(
      authors.map((author, at) => groups.send(message(author, channels[at]?.channel_id ?? 0, 'Many'))),
    )
    const resources = sent.map((one) => `message:${idOf(one)}`)
    const rows = await sql<{ count: number }[]>`
      select count(*)::int from events where resource = any(${resources}) group by xid`
    return rows.map(({ count }) => count)
  }
  expect(await sizes(people)).toEqual([9, 9])
  expect(await sizes(people.map(() => alice))).toEqual([18])
})

test('a channel’s events arrive in the order of its messages’ ids, with mentions or without', async () => {
  const people = (await passersBy(parley, 'one', 'two', 'three', 'four', 'five', 'six')) as Person[]
  const { channel_id } = await place(alice, ...people)
  const live = await connect(alice)
  const path = `/api/channels/${channel_id}/messages`
  for (let round = 0; round < 5; round++) {
    const sent = await Promise.all(
      people.map((who, at) => who.post(path, { content: at % 2 ? `Round ${round}` : `<@${alice.id}> ${round}` })),
    )
    expect(sent.map(({ status }) => status)).toEqual(people.map(() => 201))
  }
  await live.settled()
  const ids: number[] = live.of('message.created').map(({ d }) => d.id)
  expect(ids).toHaveLength(30)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  live.close()
})

test('an account queues at most a hundred messages, and those of others are accepted', async () => {
  const { channel_id, server_id } = await place(alice, bob)
  const groups = new SendGroups(write, coordinator)
  const answers = await holding(
    (tx) => tx`select change_access(${server_id})`,
    async () => {
      const own = Array.from({ length: 101 }, (_, n) => groups.send(message(alice, channel_id, `${n}`)))
      await expect(own[100]).rejects.toMatchObject({ code: 'unavailable' })
      return [...own.slice(0, 100), groups.send(message(bob, channel_id, 'Bob'))]
    },
  ).then((sent) => Promise.all(sent))
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['created']))
})
