import { expect, test } from 'bun:test'
import { boot, person, newServer, say, standard, stop } from '../support/harness.ts'
import { goOffline, isResumed, replayed, resume } from '../support/resuming.ts'
import { connect, Gateway, gatewayUrl, newestS } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** Sends many messages of one account, each as a POST would. */
const flood = async (author_id: number, channel_id: number, contents: string[]) => {
  const named = { people: [], roles: [], everyone: false, here: false, reply_mention: true, file_ids: [] }
  const drafts = contents.map((content) => ({ author_id, channel_id, content, ...named }))
  while (drafts.length > 0)
    await sql`select count(*) from send_messages(${JSON.stringify(drafts.splice(0, 500))}::text::json)`
}

test('ten thousand missed events are replayed; one more makes the connection begin afresh', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  const replayedCount = replayed(await resume(bob, s)).length
  await flood(alice.id, channel_id, Array(10_000 - replayedCount).fill('again'))
  const just = await resume(bob, s)
  expect([isResumed(just), replayed(just).length]).toEqual([true, 10_000])
  just.close()
  await flood(alice.id, channel_id, ['once more'])
  const over = await resume(bob, s)
  expect([isResumed(over), replayed(over).length]).toEqual([false, 0])
  over.close()
})

test('a replay above its byte limit makes the connection begin afresh', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  await flood(alice.id, channel_id, Array(2000).fill('🦜'.repeat(4000)))
  const live = await resume(bob, s)
  expect(isResumed(live)).toBe(false)
  live.close()
})

test('the event log is pruned except for the newest event, from which clients can resume', async () => {
  const own = await boot({ RESUME_WINDOW: '60' })
  try {
    const [alice, bob] = [await person(own, 'alice'), await person(own, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const log = own.parts.sql
    const count = async () => (await log<{ count: number }[]>`select count(*)::int from events`)[0]?.count ?? 0
    const recent = await say(alice, channel_id, 'recent')
    await log`insert into events (type, topic, resource, created_at)
      select 'old', 'nobody', 'old:' || n, now() - interval '1 hour' from generate_series(1, 12000) n`
    const before = await count()
    await own.sweep()
    // Young events stay, with ids below or above those of the old ones.
    expect(await count()).toBeLessThan(before)
    // One sweep deletes what a very busy server leaves in half a minute.
    await log`insert into events (type, topic, resource, created_at)
      select 'old', 'nobody', 'old:' || n, now() - interval '1 hour' from generate_series(1, 120000) n`
    await say(alice, channel_id, 'still recent')
    await log`update events set created_at = now() - interval '1 hour'`
    await own.sweep()
    expect(await count()).toBe(1)
    const s = await goOffline(bob)
    await say(alice, channel_id, 'news')
    const live = new Gateway(gatewayUrl(own, `token=${bob.token}&s=${s}`))
    expect((await live.next('ready')).d.resumed).toBe(false)
    await live.next('synced')
    const now = newestS(live)
    live.close()
    const next = await say(alice, channel_id, 'more news')
    const again = await connect(bob, `&s=${now}`)
    expect(isResumed(again)).toBe(true)
    expect(again.of('message.created').map((frame) => frame.d.id)).toContain(next.id)
    expect(again.of('message.created').map((frame) => frame.d.id)).not.toContain(recent.id)
    again.close()
  } finally {
    await stop(own)
  }
})
