import { afterAll, expect, test } from 'bun:test'
import { memoryBus, type Notice } from '../../src/events/bus.ts'
import { NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import { openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { NoticeListener } from '../../src/events/notice-listener.ts'
import { until } from '../support/harness.ts'
import { emptyDatabase } from '../support/spawned.ts'

// Nobody else listens here: what a node does for one that looks everything up it does for that one alone.
const address = { url: await emptyDatabase('relay_looks') }
const sql = openDatabase(address, 8)
afterAll(() => sql.end({ timeout: 1 }))

/** Of the account that it takes a node long to look up. */
const SLOW = 1

/** A node that listens, and takes its time to look everything up, or that account. */
async function node(look_ms: { now: number } = { now: 0 }, act_ms = 0) {
  const bus = memoryBus()
  const heard: Notice['kind'][] = []
  bus.onNotice(async (notice) => {
    const { kind } = notice
    heard.push(kind)
    if (kind === 'recheck_all') await Bun.sleep(look_ms.now)
    if (kind === 'access_changed' && notice.user_ids.includes(SLOW)) await Bun.sleep(act_ms)
  })
  const listener = new NoticeListener(address, sql, bus, newNodeId(), () => {}, openLog('silent'))
  await listener.start()
  return { heard, listener }
}

/** Tells everyone of a change: how long that takes, ms. */
async function tell({ send }: NoticeListener, user_id = 2): Promise<number> {
  const began = performance.now()
  const receipt = await sql.begin((tx) =>
    send(tx, [{ kind: 'access_changed', user_ids: [user_id] }], []).then((r) => ({ r })),
  )
  await receipt.r?.acted()
  return performance.now() - began
}

const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like ${`${NOTICE_LISTENER_NAME}%`} and datname = current_database()`

test('a node that looks everything up for long keeps nobody waiting, and hears what is left meanwhile', async () => {
  const look_ms = { now: 0 }
  const [busy, quick] = [await node(look_ms), await node()]
  look_ms.now = 4_000
  busy.heard.length = 0
  await cut()
  await until(
    () => busy.heard.includes('recheck_all') && quick.heard.filter((kind) => kind === 'connected').length === 2,
  )
  expect(await tell(quick.listener)).toBeLessThan(1_000)
  await until(() => busy.heard.includes('access_changed'))
  expect(busy.heard).toEqual(['disconnected', 'recheck_all', 'access_changed'])
  await until(() => busy.heard.includes('connected'), 10_000)
  expect(await tell(quick.listener)).toBeLessThan(1_000)
  expect(busy.heard.slice(3)).toEqual(['connected', 'access_changed'])
  for (const { listener } of [busy, quick]) await listener.stop()
}, 30_000)

test('a node that loses its connection while it looks everything up does not believe that it is reached', async () => {
  const look_ms = { now: 0 }
  const { heard, listener } = await node(look_ms)
  look_ms.now = 3_000
  heard.length = 0
  await cut()
  await until(() => heard.includes('recheck_all'))
  await cut()
  await until(() => heard.length >= 4)
  expect(heard).toEqual(['disconnected', 'recheck_all', 'disconnected', 'recheck_all'])
  await until(() => heard.includes('connected'), 10_000)
  expect(heard.slice(4)).toEqual(['connected'])
  await listener.stop()
}, 30_000)

test('who waits for a slow look holds up nobody else, and however many wait look for the living as one', async () => {
  const [busy, quick] = [await node({ now: 0 }, 3_000), await node()]
  const transactions = async () => {
    const [row] = await sql<{ count: number }[]>`select (xact_commit + xact_rollback)::int as count
      from pg_stat_database where datname = current_database()`
    return row?.count ?? 0
  }
  const before = await transactions()
  const waiting = Array.from({ length: 200 }, () => tell(quick.listener, SLOW))
  await Bun.sleep(500)
  expect(await tell(quick.listener)).toBeLessThan(2_000)
  expect(Math.max(...(await Promise.all(waiting)))).toBeLessThan(5_900)
  await Bun.sleep(1_500)
  // A look each every 250 ms would be 2,400.
  expect((await transactions()) - before).toBeLessThan(2_000)
  // Who asks whether anyone is there waits for what came before.
  const heard = busy.heard.length
  const receipt = tell(quick.listener, SLOW)
  await until(() => busy.heard.length > heard)
  const began = performance.now()
  expect(await quick.listener.hasCompany()).toBe(true)
  expect(performance.now() - began).toBeGreaterThan(2_000)
  await receipt
  for (const { listener } of [busy, quick]) await listener.stop()
}, 30_000)
