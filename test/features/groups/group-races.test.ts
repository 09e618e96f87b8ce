import { expect, test } from 'bun:test'
import { type Person, say, standard } from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, passersBy, peopleWithPassword } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

const recipient = (id: number, { id: userId }: Person) => `/api/channels/${id}/recipients/${userId}`

test('two people who open the same dm at once get one', async () => {
  for (let n = 0; n < 5; n++) {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    await befriend(alice, bob)
    const open = (who: Person, other: Person) => who.post('/api/channels/direct', { recipient_ids: [other.id] })
    const opened = await Promise.all([open(alice, bob), open(bob, alice), open(alice, bob), open(bob, alice)])
    expect(new Set(opened.map(({ body }) => body.id)).size).toBe(1)
    expect(opened.every(({ status }) => status === 200 || status === 201)).toBe(true)
    expect(await sql`select 1 from participants where user_id in (${alice.id}, ${bob.id})`).toHaveLength(2)
  }
})

test('a person who leaves a group while others write gets no message written afterwards', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  for (let round = 0; round < 5; round++) {
    const live = await connect(carol)
    const writing = Promise.all(
      Array.from({ length: 12 }, (_, n) => say(n % 2 ? alice : bob, id, `Round ${round}, message ${n}`)),
    )
    const response = await carol.delete(recipient(id, carol))
    expect(response.status).toBe(204)
    const until = (await live.next('channel.deleted')).s ?? 0
    await writing
    await live.settled()
    expect(live.of('message.created').every(({ s = 0 }) => s < until)).toBe(true)
    live.close()
    expect((await alice.put(recipient(id, carol))).status).toBe(200)
  }
})

test('a send that waits for somebody’s removal is refused after it', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  const [removed, sent] = await race(parley, (tx) => tx`select share_group(${id})`, [
    () => alice.delete(recipient(id, carol)),
    () => carol.post(`/api/channels/${id}/messages`, { content: 'Wait' }),
  ])
  expect([removed?.status, sent?.status]).toEqual([204, 404])
})

test('nobody is added to a group with a member who blocks them at that moment', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const id = await group(alice, bob, carol)
  await befriend(alice, dave)
  const [low, high] = [bob.id, dave.id].toSorted((a, b) => a - b) as [number, number]
  const side = bob.id === low ? 'low_blocked_at' : 'high_blocked_at'
  const [added] = await race(
    parley,
    (tx) => tx`select lock_pair(${low}, ${high})`,
    [() => alice.put(recipient(id, dave))],
    (tx) => tx`insert into relations ${tx({ low, high, [side]: new Date() })}`,
  )
  expect(added?.body.code).toBe('cannot_contact')
})

test('accounts that are deleted while their groups change leave them, without a deadlock', async () => {
  for (let n = 0; n < 4; n++) {
    const people = await peopleWithPassword(parley, 'alice', 'bob', 'carol', 'dave')
    const [alice, bob, carol, dave] = people as [Person, Person, Person, Person]
    const id = await group(alice, bob, carol)
    await befriend(alice, dave)
    const answers = await Promise.all([
      deleteAccountOf(bob),
      alice.put(recipient(id, dave)),
      carol.post(`/api/channels/${id}/messages`, { content: 'Hello' }),
      alice.post('/api/channels/direct', { recipient_ids: [bob.id, carol.id] }),
      alice.delete(recipient(id, carol)),
      dave.post(`/api/friends/${carol.id}/block`),
      deleteAccountOf(carol),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const remaining = await sql<{ user_id: number }[]>`
      select user_id from participants p join users u on u.id = p.user_id
      where other_id is null and u.deleted_at is not null and p.user_id = any(${people.map((who) => who.id)})`
    expect(remaining).toEqual([] as never)
  }
})

test('everybody leaving a group at once leaves nothing of it', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  await say(alice, id, 'Last one out')
  const answers = await Promise.all([alice, bob, carol].map((who) => who.delete(recipient(id, who))))
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  await parley.sweep()
  expect(await sql`select 1 from channels where id = ${id}`).toHaveLength(0)
})
