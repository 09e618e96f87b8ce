import { expect, test } from 'bun:test'
import { memoryBus, type Notice } from '../src/adapters/bus.ts'
import { openLog } from '../src/adapters/log.ts'
import { newNodeId } from '../src/adapters/nodes.ts'
import { RELAY_NAME } from '../src/adapters/parcel.ts'
import { openRelay, type Relay } from '../src/adapters/relay.ts'
import { boot, until } from './harness.ts'

const parley = await boot()
const { sql } = parley.parts
const address = { url: parley.parts.environment.DATABASE_URL ?? '' }

/** A node that listens, and takes its time to look everything up. */
async function node(look_ms: { now: number } = { now: 0 }) {
  const bus = memoryBus()
  const heard: Notice['kind'][] = []
  bus.onNotice(async ({ kind }) => {
    heard.push(kind)
    if (kind === 'look_again') await Bun.sleep(look_ms.now)
  })
  const relay = await openRelay(address, sql, bus, newNodeId(), () => {}, openLog('silent'))
  return { heard, relay }
}

/** Tells everyone of a change: how long that takes, ms. */
async function tell({ leave }: Relay): Promise<number> {
  const began = performance.now()
  const receipt = await sql.begin((tx) =>
    leave(tx, [{ kind: 'access_changed', user_ids: [] }], []).then((r) => ({ r })),
  )
  await receipt.r?.acted()
  return performance.now() - began
}

const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like ${`${RELAY_NAME}%`} and datname = current_database()`

test('a node that looks everything up for long keeps nobody waiting, and hears what is left meanwhile', async () => {
  const look_ms = { now: 0 }
  const [busy, quick] = [await node(look_ms), await node()]
  look_ms.now = 4_000
  busy.heard.length = 0
  await cut()
  await until(() => busy.heard.includes('look_again') && quick.heard.filter((kind) => kind === 'in_touch').length === 2)
  expect(await tell(quick.relay)).toBeLessThan(1_000)
  await until(() => busy.heard.includes('access_changed'))
  expect(busy.heard).toEqual(['out_of_touch', 'look_again', 'access_changed'])
  await until(() => busy.heard.includes('in_touch'), 10_000)
  expect(await tell(quick.relay)).toBeLessThan(1_000)
  expect(busy.heard.slice(3)).toEqual(['in_touch', 'access_changed'])
  for (const { relay } of [busy, quick]) await relay.stop()
}, 30_000)

test('a node that loses its connection while it looks everything up does not believe that it is reached', async () => {
  const look_ms = { now: 0 }
  const { heard, relay } = await node(look_ms)
  look_ms.now = 3_000
  heard.length = 0
  await cut()
  await until(() => heard.includes('look_again'))
  await cut()
  await until(() => heard.length >= 4)
  expect(heard).toEqual(['out_of_touch', 'look_again', 'out_of_touch', 'look_again'])
  await until(() => heard.includes('in_touch'), 10_000)
  expect(heard.slice(4)).toEqual(['in_touch'])
  await relay.stop()
}, 30_000)
