import { expect, test } from 'bun:test'
import type { Sql } from '../../src/database/database.ts'
import { claim, isAny } from '../../src/database/job-lock.ts'
import { boot, person, standard, stop } from '../support/harness.ts'
import { redisProgram, redisServer } from '../support/redis.ts'

test('only one transaction holds a job, until it commits or is rolled back', async () => {
  const { sql } = (await standard()).parts
  const [lockHeld, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = sql.begin(async (tx) => {
    expect([await claim(tx, 'knitting'), await claim(tx, 'knitting')]).toEqual([true, true])
    lockHeld.resolve()
    await done.promise
    throw new Error('It came to nothing')
  })
  await lockHeld.promise
  expect(await sql.begin(async (tx) => [await claim(tx, 'knitting'), await claim(tx, 'spinning')])).toEqual([
    false,
    true,
  ])
  done.resolve()
  await first.catch(() => {})
  expect(await sql.begin(async (tx) => claim(tx, 'knitting'))).toBeTrue()
})

test('a job learns if there is a row, whatever its columns', async () => {
  const { sql } = (await standard()).parts
  const above = (least: number): ReturnType<Sql> =>
    sql`select n, n / ${1}::int from generate_series(1, ${3}::int) n where n > ${least}`
  expect([await isAny(sql, above(2)), await isAny(sql, above(3))]).toEqual([true, false])
  expect(await isAny(sql, sql`(select 1 where false) union all (select 2 limit 1)`)).toBeTrue()
})

test('a node skips the jobs that another runs, and runs them when the other has ended', async () => {
  const parley = await boot()
  const { sql } = parley.parts
  const alice = await person(parley, 'alice')
  const [lockHeld, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const jobs = ['sweep', 'outbox', 'uploads', 'orphans', 'erasure']
  const busy = sql.begin(async (tx) => {
    for (const job of jobs) expect(await claim(tx, job)).toBeTrue()
    lockHeld.resolve()
    await done.promise
  })
  await lockHeld.promise
  await sql`insert into ws_tickets (hash, session_id, expires_at)
    select 'old', id, now() - interval '1 day' from sessions where user_id = ${alice.id}`
  await sql`insert into object_outbox (key) values ('nothing')`
  await sql`insert into erasures (user_id) values (${alice.id})`
  const countRemaining = async () => {
    const [row] = await sql<{ tickets: number; objects: number; erasures: number }[]>`
      select (select count(*)::int from ws_tickets) as tickets, (select count(*)::int from object_outbox) as objects,
        (select count(*)::int from erasures) as erasures`
    return row
  }
  await parley.sweep()
  expect(await countRemaining()).toEqual({ tickets: 1, objects: 1, erasures: 1 })
  done.resolve()
  await busy
  // A scheduled run that has begun meanwhile may have skipped some of them.
  for (let n = 0; n < 2; n++) await parley.sweep()
  expect(await countRemaining()).toEqual({ tickets: 0, objects: 0, erasures: 0 })
  await stop(parley)
})

test('expired rows that cannot be removed keep no others', async () => {
  const parley = await boot()
  const { sql } = parley.parts
  const alice = await person(parley, 'alice')
  await sql`insert into ws_tickets (hash, session_id, expires_at)
    select 'old', id, now() - interval '1 day' from sessions where user_id = ${alice.id}`
  await sql`insert into known_devices (user_id, device, seen_at)
    values (${alice.id}, 'old', now() - interval '1 year')`
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'It stays'; end $$`
  await sql`create trigger refuse before delete on ws_tickets for each row execute function refuse()`
  await expect(parley.sweep()).rejects.toThrow('It stays')
  const [remaining] = await sql`
    select (select count(*)::int from ws_tickets) as tickets,
      (select count(*)::int from known_devices where device = 'old') as devices`
  expect(remaining).toEqual({ tickets: 1, devices: 0 })
  await stop(parley)
})

test.if(redisProgram !== undefined)(
  'when several nodes sweep at once, each row is removed by one of them',
  async () => {
    const redis = await redisServer()
    const one = await boot({ REDIS_URL: redis.url })
    const nodes = [one, await boot({}, one), await boot({}, one)]
    const removals: string[] = []
    for (const { parts } of nodes) {
      const remove = parts.objects.delete
      parts.objects.delete = async (key) => {
        removals.push(key)
        await remove(key)
      }
    }
    const keys = Array.from({ length: 300 }, (_, n) => `nothing-${n}`)
    await one.parts.sql`insert into object_outbox (key) select unnest(${keys}::text[])`
    const count = async () => (await one.parts.sql`select 1 from object_outbox`).length
    while ((await count()) > 0) await Promise.all(nodes.map((parley) => parley.sweep()))
    expect(removals.toSorted()).toEqual(keys.toSorted())
    for (const parley of nodes) await stop(parley)
  },
  120_000,
)
