import { expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { MarkList, packedMarks, unpacked, withMoved } from '../../src/gateway/mark-list.ts'
import { say, standard } from '../support/harness.ts'
import { passersBy, write } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

interface Mark {
  channel_id: number
  message_id: number
}

async function listOf(marks: Mark[]): Promise<MarkList> {
  const [row] = await sql<[{ marks: string }]>`
    select ${packedMarks(sql)} as marks from unnest(${marks.map(({ channel_id }) => channel_id)}::bigint[],
      ${marks.map(({ message_id }) => message_id)}::bigint[]) as mark (channel_id, message_id)`
  return new MarkList(unpacked(row.marks))
}

function marksIn(list: MarkList) {
  const rows: (Mark & { owner: number })[] = []
  list.each((channel_id, message_id, owner) => rows.push({ channel_id, message_id, owner }))
  return rows
}

test('marks are found by channel in any order of reading and asking, up to the largest id', async () => {
  const largest = Number.MAX_SAFE_INTEGER
  const marks = [9, 1, 4, largest, 6].map((channel_id) => ({ channel_id, message_id: largest - channel_id }))
  for (const order of [
    [1, 4, 6, 9, largest],
    [largest, 9, 6, 4, 1],
    [6, 1, largest, 4, 9],
  ]) {
    const list = await listOf(marks)
    expect(order.map((id) => list.claim(id, 0))).toEqual(order.map((id) => largest - id))
    expect([0, 2, 5, 7, 10, largest - 1].map((id) => list.claim(id, 0, 3))).toEqual([3, 3, 3, 3, 3, 3])
    expect(list.unclaimed()).toEqual([])
  }
})

test('a list keeps who claimed a mark, and leaves dropped ones out', async () => {
  const list = await listOf([3, 1, 2, 4].map((channel_id) => ({ channel_id, message_id: channel_id * 10 })))
  list.claim(2, 7)
  list.claim(4, MarkList.ELSEWHERE)
  expect(list.unclaimed()).toEqual([1, 3])
  list.drop(3)
  list.drop(5)
  expect(marksIn(list)).toEqual([
    { channel_id: 1, message_id: 10, owner: MarkList.ELSEWHERE },
    { channel_id: 2, message_id: 20, owner: 7 },
    { channel_id: 4, message_id: 40, owner: MarkList.ELSEWHERE },
  ])
})

test('moved marks are replaced, added and taken out; without a difference the list stays the same object', () => {
  const marks = { channels: Float64Array.of(2, 4, 6), messages: Float64Array.of(20, 40, 60) }
  const rows = (changes: [number, number | undefined][]) => {
    const { channels, messages } = withMoved(marks, new Map(changes))
    return [...channels].map((channelId, at) => [channelId, messages[at]])
  }
  expect(
    rows([
      [4, 41],
      [6, undefined],
      [5, 50],
      [1, 10],
      [9, 90],
      [3, undefined],
    ]),
  ).toEqual([
    [1, 10],
    [2, 20],
    [4, 41],
    [5, 50],
    [9, 90],
  ])
  expect(rows([[4, 41]]).flat()).toEqual([2, 20, 4, 41, 6, 60])
  expect([...marks.messages]).toEqual([20, 40, 60])
  expect(
    withMoved(
      marks,
      new Map<number, number | undefined>([
        [4, 40],
        [3, undefined],
      ]),
    ),
  ).toBe(marks)
})

test('an account without marks has an empty list', async () => {
  const list = await listOf([])
  expect([list.claim(1, 0, 5), list.unclaimed(), marksIn(list)]).toEqual([5, [], []])
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
