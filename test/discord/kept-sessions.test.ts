import { expect, test } from 'bun:test'
import { KeptSessions } from '../../src/discord/gateway/kept-sessions.ts'
import { botOf } from '../support/bots.ts'
import { person, standard } from '../support/harness.ts'

const parley = await standard()
const { sql } = parley.parts
const store = new KeptSessions(sql)

const SHARDS = 300

/** A bot with more shards than sessions are kept, and the login of its token. */
async function shardedBot() {
  const alice = await person(parley, 'alice')
  const bot = await botOf(alice, 'Large')
  const [login] = await sql<[{ id: number }]>`select id from sessions where user_id = ${bot.id}`
  const begin = (shard_id: number, round: number) =>
    store.begin({
      id: `${bot.id} ${shard_id} ${round}`,
      user_id: bot.id,
      session_id: login.id,
      intents: 1,
      shard_id,
      shard_count: SHARDS,
    })
  return { bot, begin }
}

test('all shards of a large bot begin their sessions at once, again and again', async () => {
  const { bot, begin } = await shardedBot()
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard)
  for (const round of [1, 2, 3, 4, 5]) {
    // In another order each time, as they come after a failure of the network.
    await Promise.all(
      shards
        .toSorted((a, b) => ((a * 7919 * round) % 1009) - ((b * 7919 * round) % 1009))
        .map((shard) => begin(shard, round)),
    )
    // As if the server had lost all of them.
    await sql`update discord_sessions set sent_ids = array[base_id + 1], seen_at = now() where user_id = ${bot.id}`
  }
  const count = async () => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from discord_sessions where user_id = ${bot.id}`
    return row.count
  }
  // None was dropped for another.
  expect(await count()).toBe(SHARDS)
  await begin(SHARDS, 6)
  expect(await count()).toBe(SHARDS)
})

test('a session that is lost is followed by one of the sessions that begin at once', async () => {
  const { bot, begin } = await shardedBot()
  await begin(3, 1)
  await sql`update discord_sessions set sent_ids = array[base_id + 1, base_id + 5] where user_id = ${bot.id}`
  const begun = await Promise.all([2, 3, 4, 5].map((round) => begin(3, round)))
  expect(begun.filter(({ seen_at }) => seen_at !== null)).toHaveLength(1)
})
