import { expect, test } from 'bun:test'
import type { Transaction } from '../../src/database/database.ts'
import { type Person, standard } from '../support/harness.ts'
import { databaseOf, done } from '../support/operator.ts'
import { befriend, passersBy, write } from '../support/people.ts'
import { place } from '../support/places.ts'
import { race } from '../support/races.ts'
import { connect } from '../support/socket.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await standard()
const portrait = async (who: Person) => (await upload(who, 'me.png', 'image/png', await png(8, 8))).id
const account = (tx: Transaction, { id }: Person) => tx`select 1 from users where id = ${id} for no key update`

/** A server of the first person, with a picture that the second has sent there and uses as avatar. */
async function withPortrait() {
  const people = await passersBy(parley, 'alice', 'bob')
  const [alice, bob] = people.toSorted((one, other) => one.id - other.id) as [Person, Person]
  const there = await place(alice, bob)
  const file_id = await portrait(bob)
  const sent = await bob.post(`/api/channels/${there.channel_id}/messages`, { content: 'Me', file_ids: [file_id] })
  await bob.put('/api/auth/avatar', { avatar_file_id: file_id })
  return { ...there, alice, bob, file_id, message_id: sent.body.id as number }
}

/** Locks the two accounts, as a change of their relation does, while the request runs. */
const besideRelation = ([low, high]: [Person, Person], request: () => ReturnType<Person['delete']>) =>
  race(
    parley,
    (tx) => account(tx, low),
    [request],
    (tx) => account(tx, high),
  )

test('deleting a server never deadlocks with a change of the relation of two members', async () => {
  const { server_id, alice, bob } = await withPortrait()
  const answers = await besideRelation([alice, bob], () => alice.delete(`/api/servers/${server_id}`))
  expect(answers.map((answer) => answer.status)).toEqual([204])
})

test('deleting a channel never deadlocks with a change of the relation of two uploaders', async () => {
  const { channel_id, alice, bob } = await withPortrait()
  // The higher id's file comes first.
  const file_ids = [await portrait(alice)]
  await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Me too', file_ids })
  const answers = await besideRelation([alice, bob], () => alice.delete(`/api/channels/${channel_id}`))
  expect(answers.map((answer) => answer.status)).toEqual([204])
})

test('a message and one of its files can be deleted at once', async () => {
  const { bob, file_id, message_id } = await withPortrait()
  const answers = await race(parley, (tx) => tx`select 1 from files where id = ${file_id} for update`, [
    () => bob.delete(`/api/messages/${message_id}`),
    () => bob.delete(`/api/files/${file_id}`),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([204, 404])
})

test('a file that a message attaches during its deletion stays in the message', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const file_id = await portrait(alice)
  const [sent, deleted] = await race(parley, (tx) => tx`select 1 from files where id = ${file_id} for update`, [
    () => alice.post('/api/dm/messages', { recipient_id: bob.id, content: '', file_ids: [file_id] }),
    () => alice.delete(`/api/files/${file_id}`),
  ])
  expect([sent?.status, deleted?.body.code]).toEqual([201, 'already_attached'])
  expect((await bob.get(`/api/dm/${alice.id}/messages`)).body).toEqual([sent?.body])
})

test('a picture that becomes an avatar during its deletion is cleared again, with an event', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const file_id = await portrait(alice)
  await write(alice, bob, 'Me', { file_ids: [file_id] })
  const his = await connect(bob)
  const answers = await race(
    parley,
    async (tx) => {
      await tx`select 1 from files where id = ${file_id} for update`
      await tx`update users set avatar_file_id = ${file_id} where id = ${alice.id}`
    },
    [() => alice.delete(`/api/files/${file_id}`)],
  )
  expect(answers.map((answer) => answer.status)).toEqual([204])
  expect((await his.next('user.updated')).d).toMatchObject({ id: alice.id, avatar_file_id: null })
  his.close()
})

/** Servers whose icons are files in messages of the next server, and of the one before. */
async function crossed(count: number) {
  const [alice] = await passersBy(parley, 'alice')
  const { sql } = parley.parts
  await sql`update users set server_count = 0 where id = ${alice.id}`
  const places = []
  for (let n = 0; n < count; n++) places.push(await place(alice))
  for (const [at, { server_id }] of places.entries()) {
    const there = places[(at + 1) % count]!
    const file_id = await portrait(alice)
    const before = places[(at + count - 1) % count]!
    const channel_id = at % 2 === 0 ? there.channel_id : before.channel_id
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Icon', file_ids: [file_id] })
    expect(sent.status).toBe(201)
    await sql`update servers set icon_file_id = ${file_id} where id = ${server_id}`
  }
  return { alice, places }
}

test('forty servers whose icons are files of each other can be deleted at once', async () => {
  const { alice, places } = await crossed(40)
  const answers = await Promise.all(places.map(({ server_id }) => alice.delete(`/api/servers/${server_id}`)))
  expect(answers.map((answer) => answer.status)).toEqual(places.map(() => 204))
})

/** The ways to delete a message, or the one file in it. */
const ways: [string, (alice: Person, message_id: number, file_id: number) => Promise<unknown>][] = [
  ['a message', async (alice, id) => (await alice.delete(`/api/messages/${id}`)).status],
  ['a file', async (alice, _, id) => (await alice.delete(`/api/files/${id}`)).status],
  ['a message, by the operator', (_, id) => done(databaseOf(parley), 'delete', 'message', String(id), '--yes')],
  ['a file, by the operator', (_alice, _, id) => done(databaseOf(parley), 'delete', 'file', String(id), '--yes')],
]
test.each(ways)(
  '%s can be deleted during the deletion of the server that uses it as its icon',
  async (_, remove) => {
    const [alice] = await passersBy(parley, 'alice')
    const { server_id, channel_id } = await place(alice)
    const file_id = await portrait(alice)
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Icon', file_ids: [file_id] })
    await alice.put(`/api/servers/${server_id}`, { icon_file_id: file_id })
    const answers = await race<unknown>(
      parley,
      async (tx) => {
        await tx`select 1 from channels where id = ${channel_id} for update`
        await tx`select 1 from messages where id = ${sent.body.id} for update`
      },
      [
        () => remove(alice, sent.body.id, file_id),
        async () => (await alice.delete(`/api/servers/${server_id}`)).status,
      ],
    )
    expect(answers).toEqual([expect.anything(), 204])
    expect([503, 500]).not.toContain(answers[0])
  },
  120_000,
)

test('channels whose files are the icons of each other’s servers can be deleted at once', async () => {
  const { alice, places } = await crossed(10)
  const answers = await Promise.all(places.map(({ channel_id }) => alice.delete(`/api/channels/${channel_id}`)))
  expect(answers.map((answer) => answer.status)).toEqual(places.map(() => 204))
})
