import { expect, test } from 'bun:test'
import { person, say, standard } from '../../support/harness.ts'
import { passerBy, place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]

const expectEnded = (answers: { status: number }[]) =>
  expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([])

test('sends, edits and deletions in a channel that is being deleted answer 404', async () => {
  const { server_id } = await place(alice, bob)
  const live = await connect(bob)
  for (let round = 0; round < 6; round++) {
    const draft = { name: `room ${round}`, type: 'text' }
    const { id } = (await alice.post(`/api/servers/${server_id}/channels`, draft)).body
    const messages = await Promise.all(Array.from({ length: 6 }, () => say(bob, id, 'Hello')))
    const acks = messages.map(({ id: message_id }) => live.command('channel.ack', { channel_id: id, message_id }))
    const answers = await Promise.all([
      ...messages.slice(3).map((message) => bob.delete(`/api/messages/${message.id}`)),
      bob.post(`/api/channels/${id}/messages`, { content: 'before' }),
      alice.delete(`/api/channels/${id}`),
      ...messages.slice(0, 3).map((message) => bob.delete(`/api/messages/${message.id}`)),
      ...Array.from({ length: 6 }, () => bob.post(`/api/channels/${id}/messages`, { content: 'after' })),
      ...messages.slice(3).map((message) => bob.put(`/api/messages/${message.id}`, { content: 'edited' })),
    ])
    expectEnded(answers)
    const refusals = (await Promise.all(acks)).flatMap(({ error }) => (error ? [error.code] : []))
    expect(refusals.filter((code) => code !== 'not_found')).toEqual([])
  }
  live.close()
})

test('sends, edits and deletions in a server that is being deleted answer 404', async () => {
  for (let round = 0; round < 6; round++) {
    const { server_id, channel_id } = await place(alice, bob)
    const messages = await Promise.all(Array.from({ length: 6 }, () => say(bob, channel_id, 'Hello')))
    const answers = await Promise.all([
      ...messages.slice(3).map((message) => bob.delete(`/api/messages/${message.id}`)),
      bob.post(`/api/channels/${channel_id}/messages`, { content: 'before' }),
      alice.delete(`/api/servers/${server_id}`),
      ...messages.slice(0, 3).map((message) => alice.delete(`/api/messages/${message.id}`)),
      ...Array.from({ length: 6 }, () => bob.post(`/api/channels/${channel_id}/messages`, { content: 'after' })),
      alice.post(`/api/servers/${server_id}/roles`, { name: 'late' }),
    ])
    expectEnded(answers)
  }
})

test('a read mark that waits for the deletion of its channel answers 404', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id: message_id } = await say(alice, channel_id, 'Hello')
  const live = await connect(bob)
  const { sql } = parley.parts
  const { acked } = await sql.begin(async (tx) => {
    await tx`select change_access(${server_id})`
    await tx`delete from channels where id = ${channel_id}`
    const answer = live.command('channel.ack', { channel_id, message_id })
    for (let blocked = 0; blocked === 0; await Bun.sleep(2))
      [{ blocked }] = await sql<[{ blocked: number }]>`select count(*)::int as blocked from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
    return { acked: answer }
  })
  expect((await acked).error.code).toBe('not_found')
  live.close()
})
