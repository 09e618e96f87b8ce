import { expect, test } from 'bun:test'
import { topic } from '../../src/core/events.ts'
import { loggedFrames } from '../../src/events/event-log.ts'
import { person, newServer, standard } from '../support/harness.ts'

const parley = await standard()
const { sql } = parley.parts

const channelsOf = (server_id: number) =>
  sql<
    { id: number; server_id: number; restricted: boolean; topic: string }[]
  >`select c.id, c.server_id, c.restricted, channel_topic(c) as topic from channels c where c.server_id = ${server_id}`

test('SQL and TypeScript name the same topic for a channel, restricted or not', async () => {
  const { server_id, channel_id } = await newServer(await person(parley, 'alice'))
  await sql`insert into channels (server_id, name, type, position, restricted)
    values (${server_id}, 'staff', 'text', 8, true), (${server_id}, 'talk', 'voice', 9, true)`
  const channels = await channelsOf(server_id)
  expect(channels.find(({ id }) => id === channel_id)?.restricted).toBe(false)
  expect(channels.filter(({ restricted }) => restricted)).toHaveLength(2)
  for (const channel of channels) expect(channel.topic).toBe(topic.channel(channel).topic)
})

test('a logged event goes to the current topic of its channel, and to its own when the channel is gone', async () => {
  const { server_id, channel_id } = await newServer(await person(parley, 'alice'))
  const mine = topic.user(1, { server_id, channel_id }).topic
  const add = async (to: string, userId: number | null) => {
    const [row] = await sql<[{ id: number }]>`
      insert into events (type, topic, user_id, server_id, channel_id, resource, body)
      values ('message.created', ${to}, ${userId}, ${server_id}, ${channel_id}, 'message:0', '{}') returning id`
    return row.id
  }
  const ids = [await add(topic.server(server_id).topic, null), await add(mine, 1)]
  const topics = async () => {
    const frames = await loggedFrames(sql, sql`select * from events where id = any(${ids})`)
    expect(frames.map((frame) => [frame.s, frame.channel_id])).toEqual(ids.map((id) => [id, channel_id]))
    return frames.map((frame) => frame.topic)
  }
  expect(await topics()).toEqual([`server:${server_id}`, mine])
  await sql`update channels set restricted = true where id = ${channel_id}`
  expect(await topics()).toEqual([`channel:${channel_id}`, mine])
  await sql`delete from channels where id = ${channel_id}`
  expect(await topics()).toEqual([`server:${server_id}`, mine])
})
