import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { walk } from '../../support/pages.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await Promise.all([person(parley, 'alice'), person(parley, 'bob')])

const create = (server_id: number, name: string) =>
  alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })
const names = async (server_id: number): Promise<string[]> => {
  const { body } = await alice.get(`/api/servers/${server_id}/channels?limit=100`)
  expect(body.map((channel: any) => channel.position)).toEqual(body.map((_: any, at: number) => at))
  return body.map((channel: any) => channel.name)
}

async function birds(...members: (typeof bob)[]) {
  const { server_id, channel_id } = await newServer(alice, ...members)
  const ids = [channel_id]
  for (const name of ['auk', 'bittern', 'crane']) ids.push((await create(server_id, name)).body.id)
  return { server_id, ids: ids as [number, number, number, number] }
}

test('a channel moves, the others shift, and members get an event for each that shifted', async () => {
  const { server_id, ids } = await birds(bob)
  const live = await connect(bob)
  const moved = await alice.put(`/api/channels/${ids[3]}`, { position: 1, topic: 'Tall' })
  expect(moved.body).toMatchObject({ position: 1, topic: 'Tall' })
  expect(await names(server_id)).toEqual(['general', 'crane', 'auk', 'bittern'])
  await live.next('channel.updated', ({ d }) => d.id === ids[2])
  await live.settled()
  const positions = new Map(live.of('channel.updated').map(({ d }) => [d.id, d.position]))
  expect(positions).toEqual(
    new Map([
      [ids[3], 1],
      [ids[1], 2],
      [ids[2], 3],
    ]),
  )
  expect(live.of('channel.updated')).toHaveLength(3)
  live.close()
})

test('a position out of range is clamped', async () => {
  const { server_id, ids } = await birds()
  expect((await alice.put(`/api/channels/${ids[0]}`, { position: Number.MAX_SAFE_INTEGER })).body.position).toBe(3)
  expect(await names(server_id)).toEqual(['auk', 'bittern', 'crane', 'general'])
  expect((await alice.put(`/api/channels/${ids[0]}`, { position: 0 })).body.position).toBe(0)
  expect((await alice.put(`/api/channels/${ids[0]}`, { position: 0 })).body.position).toBe(0)
  expect(await names(server_id)).toEqual(['general', 'auk', 'bittern', 'crane'])
  for (const position of [1.5, '1', null])
    expect((await alice.put(`/api/channels/${ids[0]}`, { position })).status).toBe(422)
})

test('a deleted channel leaves no gap, and members get an event for each channel that moved up', async () => {
  const { server_id, ids } = await birds(bob)
  const live = await connect(bob)
  expect((await alice.delete(`/api/channels/${ids[1]}`)).status).toBe(204)
  expect(await names(server_id)).toEqual(['general', 'bittern', 'crane'])
  await live.next('channel.updated', ({ d }) => d.id === ids[3] && d.position === 2)
  await live.next('channel.updated', ({ d }) => d.id === ids[2] && d.position === 1)
  expect((await create(server_id, 'dunnock')).body.position).toBe(3)
  live.close()
})

test('positions stay dense under racing creations, moves and deletions', async () => {
  const { server_id, ids } = await birds()
  const answers = await Promise.all([
    ...['d', 'e', 'f'].map((name) => create(server_id, name)),
    ...ids.map((id, at) => alice.put(`/api/channels/${id}`, { position: 3 - at })),
    alice.delete(`/api/channels/${ids[2]}`),
    alice.put(`/api/channels/${ids[1]}`, { position: 0 }),
  ])
  expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status))).toEqual([])
  expect((await names(server_id)).toSorted()).toEqual(['auk', 'crane', 'd', 'e', 'f', 'general'])
})

test('racing creations stop at 500 channels a server, and all of them can be paged through', async () => {
  const { server_id } = await newServer(alice)
  await sql`insert into channels (server_id, name, type, position)
    select ${server_id}, 'c' || n, 'text', n from generate_series(1, 497) n`
  const racing = await Promise.all(['v', 'w', 'x', 'y', 'z'].map((name) => create(server_id, name)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 201, 409, 409, 409])
  for (const { status, body } of racing) if (status === 409) expect(body.code).toBe('too_many_channels')
  const all = await walk(alice, `/api/servers/${server_id}/channels?limit=90`)
  expect(all.map((channel) => channel.position)).toEqual(Array.from({ length: 500 }, (_, at) => at))
  const [last] = await sql`select id from channels where server_id = ${server_id} and position = 499`
  expect((await alice.delete(`/api/channels/${last?.id}`)).status).toBe(204)
  expect((await create(server_id, 'room-again')).body.position).toBe(499)
})

test('a list by position has no cursors', async () => {
  const { server_id } = await birds()
  const [first, second] = (await alice.get(`/api/servers/${server_id}/channels?limit=1&offset=2`)).body
  expect([first.name, second]).toEqual(['bittern', undefined])
  for (const query of ['limit=0', 'limit=101', 'offset=10001', 'offset=-1', 'limit=1e1'])
    expect((await alice.get(`/api/servers/${server_id}/channels?${query}`)).status).toBe(422)
})
