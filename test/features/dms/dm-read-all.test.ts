import { expect, test } from 'bun:test'
import { type Person, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

/** Bob has this many unread messages of alice's, and then one of his own. */
async function unread(count: number): Promise<[Person, Person]> {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  await write(alice, bob, 'First')
  const { sql } = parley.parts
  await sql.begin(async (tx) => {
    await tx`alter table messages disable trigger count_dm_in`
    await tx`insert into messages (channel_id, author_id, recipient_id, content)
      select channel_id, ${alice.id}, ${bob.id}, n from participants, generate_series(2, ${count}) n
      where user_id = ${bob.id}`
    await tx`update participants p set last_message_id = (select max(id) from messages m
      where m.channel_id = p.channel_id),
      unread_count = case when user_id = ${bob.id} then ${count} else 0 end
      where ${bob.id} in (user_id, other_id)`
    await tx`alter table messages enable trigger count_dm_in`
  })
  await sql`analyze messages`
  return [alice, bob]
}

test('reading thousands of messages takes many short transactions, between which the sender can write', async () => {
  const [alice, bob] = await unread(20_000)
  const [hers, his] = [await connect(alice), await connect(bob)]
  const waits: number[] = []
  let isOver = false
  const began = performance.now()
  const reading = bob.post(`/api/dm/${alice.id}/read-all`).finally(() => (isOver = true))
  while (!isOver) {
    const at = performance.now()
    await write(alice, bob, 'Are you there?')
    waits.push(performance.now() - at)
  }
  const took = performance.now() - began
  const answer = await reading
  if (process.env['MEASURE']) console.log({ took, longest: Math.max(...waits), writes: waits.length })
  expect(answer.status).toBe(200)
  expect(waits.length).toBeGreaterThan(10)
  // Each event marks everything up to its message, so the events come in order.
  await his.next('dm.read', ({ d }) => d.unread_count <= waits.length)
  for (const live of [hers, his]) {
    await live.settled()
    const reads = live.of('dm.read').map(({ d }) => d.message_id)
    expect(reads.length).toBeGreaterThanOrEqual(20)
    expect(reads).toEqual(reads.toSorted((a, b) => a - b))
    expect(live.of('dm.read').every(({ d }) => d.all)).toBe(true)
  }
  const [{ largest }] = await parley.parts.sql<[{ largest: number }]>`select max(count)::int as largest from (
    select count(*) from messages where recipient_id = ${bob.id} and read_at is not null group by xmin) batches`
  expect(largest).toBe(500)
  const [{ count, marked }] = await parley.parts.sql<[{ count: number; marked: number }]>`
    select count(*)::int, (select unread_count from participants where user_id = ${bob.id}) as marked
    from messages where recipient_id = ${bob.id} and read_at is null`
  expect(count).toBe(marked)
  expect((await bob.post(`/api/dm/${alice.id}/read-all`)).body.unread_count).toBe(0)
  for (const live of [hers, his]) live.close()
})

test('several requests to read everything at once all succeed, and each message is counted once', async () => {
  const [alice, bob] = await unread(5_000)
  const answers = await Promise.all(Array.from({ length: 4 }, () => bob.post(`/api/dm/${alice.id}/read-all`)))
  expect(answers.map(({ status, body }) => [status, body.unread_count])).toEqual(answers.map(() => [200, 0]))
  const rows = await parley.parts.sql`select 1 from messages where recipient_id = ${bob.id} and read_at is null`
  expect(rows).toHaveLength(0)
})

test('a batch that is exactly full ends the reading', async () => {
  const [alice, bob] = await unread(2_000)
  expect((await bob.post(`/api/dm/${alice.id}/read-all`)).body.unread_count).toBe(0)
  expect((await bob.post(`/api/dm/${bob.id}/read-all`)).body.code).toBe('cannot_target_self')
})
