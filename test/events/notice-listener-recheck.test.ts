import { afterAll, expect, test } from 'bun:test'
import { memoryBus, type Notice } from '../../src/events/bus.ts'
import { NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import { type Log, openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { NoticeListener } from '../../src/events/notice-listener.ts'
import { until } from '../support/harness.ts'
import { emptyDatabase } from '../support/spawned.ts'
import { stopwatch } from '../support/stopwatch.ts'

// No other node listens in this database.
const address = { url: await emptyDatabase('notice_listener') }
const sql = openDatabase(address, 8)
afterAll(() => sql.end({ timeout: 1 }))

/** The account whose notices a node handles slowly. */
const SLOW = 1

/**
 * A node that listens.
 * @param recheckMs duration of a complete recheck
 * @param actMs duration of acting on a notice of the slow account
 */
async function node(recheckMs: { now: number } = { now: 0 }, actMs = 0) {
  const bus = memoryBus()
  const received: Notice['kind'][] = []
  bus.onNotice(async (notice) => {
    const { kind } = notice
    received.push(kind)
    if (kind === 'recheck_all') await Bun.sleep(recheckMs.now)
    if (kind === 'access_changed' && notice.user_ids.includes(SLOW)) await Bun.sleep(actMs)
  })
  const listener = new NoticeListener(address, sql, bus, newNodeId(), () => {}, openLog('silent'))
  await listener.start()
  return { received, listener }
}

/** Sends a notice and waits for all nodes. @returns the duration by a stopwatch, ms */
async function notify({ send }: NoticeListener, userId = 2): Promise<number> {
  const passed = stopwatch()
  const receipt = await sql.begin((tx) =>
    send(tx, [{ kind: 'access_changed', user_ids: [userId] }], []).then((r) => ({ r })),
  )
  await receipt.r?.acted()
  return passed()
}

const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like ${`${NOTICE_LISTENER_NAME}%`} and datname = current_database()`

test('a node that takes long to recheck delays no write, and receives the notices sent meanwhile', async () => {
  const recheckMs = { now: 0 }
  const [busy, quick] = [await node(recheckMs), await node()]
  recheckMs.now = 4_000
  busy.received.length = 0
  await cut()
  await until(
    () => busy.received.includes('recheck_all') && quick.received.filter((kind) => kind === 'connected').length === 2,
  )
  expect(await notify(quick.listener)).toBeLessThan(1_000)
  await until(() => busy.received.includes('access_changed'))
  expect(busy.received).toEqual(['disconnected', 'recheck_all', 'access_changed'])
  await until(() => busy.received.includes('connected'))
  expect(await notify(quick.listener)).toBeLessThan(1_000)
  expect(busy.received.slice(3)).toEqual(['connected', 'access_changed'])
  for (const { listener } of [busy, quick]) await listener.stop()
})

test('a node that loses its connection during the recheck starts the recheck again', async () => {
  const recheckMs = { now: 0 }
  const { received, listener } = await node(recheckMs)
  recheckMs.now = 3_000
  received.length = 0
  await cut()
  await until(() => received.includes('recheck_all'))
  await cut()
  await until(() => received.length >= 4)
  expect(received).toEqual(['disconnected', 'recheck_all', 'disconnected', 'recheck_all'])
  await until(() => received.includes('connected'))
  expect(received.slice(4)).toEqual(['connected'])
  await listener.stop()
})

test('a write that waits for a slow node delays no other, and all that wait share one query', async () => {
  const [busy, quick] = [await node({ now: 0 }, 3_000), await node()]
  const transactions = async () => {
    const [row] = await sql<{ count: number }[]>`select (xact_commit + xact_rollback)::int as count
      from pg_stat_database where datname = current_database()`
    return row?.count ?? 0
  }
  const before = await transactions()
  const waiting = Array.from({ length: 200 }, () => notify(quick.listener, SLOW))
  await Bun.sleep(500)
  expect(await notify(quick.listener)).toBeLessThan(2_000)
  expect(Math.max(...(await Promise.all(waiting)))).toBeLessThan(5_900)
  await Bun.sleep(1_500)
  // One query each every 250 ms would be 2,400.
  expect((await transactions()) - before).toBeLessThan(2_000)
  // hasCompany waits for the notices sent before it.
  const received = busy.received.length
  const receipt = notify(quick.listener, SLOW)
  await until(() => busy.received.length > received)
  const began = performance.now()
  expect(await quick.listener.hasCompany()).toBe(true)
  expect(performance.now() - began).toBeGreaterThan(2_000)
  await receipt
  for (const { listener } of [busy, quick]) await listener.stop()
})

test('a node whose catch-up fails says so in the log, and tries again', async () => {
  const lines: string[] = []
  let catchUps = 0
  const follower = {
    readUntil: () => performance.now(),
    catchUp: async () => {
      if (++catchUps === 2) throw new Error('canceling statement due to statement timeout')
    },
  }
  const log: Log = (_level, event, fields) => void lines.push(`${event}: ${String(fields?.message)}`)
  const listener = new NoticeListener(address, sql, memoryBus(), newNodeId(), () => {}, log, follower)
  await listener.start()
  await cut()
  await until(() => catchUps === 3)
  expect(lines).toEqual([
    expect.stringContaining('relay.lost'),
    'relay.behind: canceling statement due to statement timeout',
  ])
  await listener.stop()
})

test('a node that stands still while it starts tries again, and starts', async () => {
  const bus = memoryBus()
  let rechecks = 0
  // Longer than others wait for a node.
  bus.onNotice(({ kind }) => {
    if (kind === 'recheck_all' && ++rechecks === 1) Bun.sleepSync(7_000)
  })
  const listener = new NoticeListener(address, sql, bus, newNodeId(), () => {}, openLog('silent'))
  await listener.start()
  await until(() => bus.receivesNotices())
  expect(rechecks).toBeGreaterThan(1)
  await listener.stop()
})
