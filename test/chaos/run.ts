import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApi } from './api.ts'
import { Client, type Surroundings } from './client.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { newCounts } from './counts.ts'
import { Doings } from './doings.ts'
import { FAILED_OVER, Faults } from './faults.ts'
import { type Handover, handoverLines } from './handovers.ts'
import { judge } from './judge.ts'
import { Ledger } from './ledger.ts'
import { CLIENTS, type Fault, type FaultKind, FAULTS, makePlan, type Plan, SERVERS } from './plan.ts'
import { PrivateDoings } from './private-doings.ts'
import { settles } from './patience.ts'
import { openProbe } from './probe.ts'
import { openProxy } from './proxy.ts'
import { Recovery } from './recovery.ts'
import { makeWorld, openAtlas } from './world.ts'

const USAGE =
  'bun run chaos [minutes] [--seed=n] [--nodes=n] [--redis-cluster | --redis-sentinels] ' +
  '[--failover] [--rolling] [--servers-only] [--faults=kind,…]'
const MINUTES_MAX = 600
const CONNECT_MS_MAX = 60_000
const DRAIN_MS_MAX = 60_000
/** Time in addition to the storm: start, end and judgement. */
const REST_MS_MAX = 600_000
const SHOWN = 20
/** From the end of a socket of a node that drains until its client is up to date on another one. */
const BACK_MS_MAX = 2_000
/** From the promotion of a standby until a send is acknowledged. */
const SENDS_AGAIN_MS_MAX = 5_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    nodes: { type: 'string', default: '3' },
    'redis-cluster': { type: 'boolean', default: false },
    // A Redis and its replica, which Sentinels promote.
    'redis-sentinels': { type: 'boolean', default: false },
    // PostgreSQL is a primary and its standby, which takes over.
    failover: { type: 'boolean', default: false },
    // Nodes are replaced one after another, as for an upgrade.
    rolling: { type: 'boolean', default: false },
    // Without direct messages and calls.
    'servers-only': { type: 'boolean', default: false },
    // Only these kinds of faults, which come again and again.
    faults: { type: 'string' },
  },
})
const minutes = Number(positionals[0] ?? 5)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const nodes = Number(values.nodes)
if (!(minutes > 0 && minutes <= MINUTES_MAX) || !Number.isInteger(seed) || !(nodes >= 1)) {
  console.error(USAGE)
  process.exit(2)
}

const further = [values.failover ? ['failover' as const] : [], values.rolling ? ['replace' as const] : []].flat()
const possible: FaultKind[] = [...FAULTS, ...further]
const named = values.faults?.split(',') ?? possible
const kinds = possible.filter((kind) => named.includes(kind))
if (kinds.length < named.length) {
  console.error(`The faults of this run can be: ${possible.join(', ')}`)
  process.exit(2)
}
const plan = makePlan(seed, minutes, nodes, kinds)
if (values['servers-only']) Object.assign(plan, { directs: [], calls: [] })
console.log(`seed ${seed} · ${minutes} min · ${nodes} nodes · ${CLIENTS} clients in ${SERVERS} servers`)
console.log(
  `plan: ${plan.sends.length} sends, ${plan.changes.length} changes, ${plan.reloads.length} reloads, ` +
    `${plan.directs.length} direct messages, ${plan.calls.length} steps of calls, faults:`,
)
for (const fault of plan.faults) console.log(`  ${described(fault)}`)

function described({ atMs, kind, for_ms, node, hard }: Fault): string {
  const isLasting = ['kill', 'freeze', 'redis', 'slow', 'stall'].includes(kind)
  const lasting = isLasting ? ` for ${(for_ms / 1000).toFixed(1)} s` : ''
  const how = kind === 'redis' || kind === 'postgres' ? (hard ? ' hard' : ' soft') : ''
  const which = kind === 'kill' || kind === 'freeze' ? ` node ${node}` : ''
  return `${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}${which}${how}${lasting}`
}

const redisKind = values['redis-cluster'] ? 'cluster' : values['redis-sentinels'] ? 'sentinels' : 'single'
const cluster = await openCluster(nodes, redisKind, values.failover)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
setTimeout(() => {
  console.error('The run does not end by itself.')
  process.exit(1)
}, plan.ms + REST_MS_MAX).unref()
let violations: string[] | undefined
try {
  violations = await run(cluster, plan)
} finally {
  await cluster.stop()
  if (violations?.length !== 0) {
    const logs = cluster.keepLogs()
    await Bun.write(join(logs, 'violations.txt'), (violations ?? []).join('\n'))
    console.log(`The nodes' logs and all violations are in ${logs}`)
  }
}
process.exit(violations.length === 0 ? 0 : 1)

/** Does each thing at its time. */
async function timed<T extends { atMs: number }>(from: number, things: T[], act: (thing: T, n: number) => void) {
  for (const [n, thing] of things.entries()) {
    const wait = from + thing.atMs - Date.now()
    if (wait > 0) await Bun.sleep(wait)
    act(thing, n)
  }
}

/** @throws Error when the condition is not met, and nothing has moved for this time */
async function waitFor(what: string, holds: () => boolean, ms: number, progress: () => number): Promise<void> {
  if (!(await settles(holds, ms, progress))) throw new Error(`${what}: not within ${ms} ms`)
}

/** The storm, the calm after it and the judgement. @returns the violations */
async function run(on: Cluster, plan: Plan): Promise<string[]> {
  const { members, ms, sends, changes, reloads, directs, calls, faults: planned } = plan
  const started = Date.now()
  for (const node of on.nodes) await on.startNode(node)
  const world = await makeWorld(on, openApi(on.nodes[0]?.url ?? ''), plan)
  const proxy = openProxy(on.ports)
  const ended = new AbortController()
  const atlas = openAtlas(world)
  const ledger = new Ledger(atlas, members)
  const counts = newCounts()
  const { url } = proxy
  const around: Surroundings = { url, api: openApi(url), atlas, ledger, counts, handovers: [], ended: ended.signal }
  const clients = world.accounts.slice(0, CLIENTS).map(({ id, token }, n) => new Client(n, id, token, around))
  const running = clients.map((client) => client.run())
  const allWhole = () => clients.every((client) => client.isWhole())
  await waitFor('all clients connect', allWhole, CONNECT_MS_MAX, () => counts.events)
  console.log(`ready after ${Date.now() - started} ms`)

  const recovery = new Recovery()
  const token = world.accounts[CLIENTS]?.token ?? ''
  const channel_id = world.places[SERVERS]?.channels.general ?? 0
  // When the clients have nothing more to send, the probe's messages show if sending works.
  let isCalm = false
  const probe = openProbe(on, recovery, { token, channel_id }, (...when) => isCalm && recovery.sent(...when))
  const watch = setInterval(() => {
    if (clients.every((client) => client.isSynced()))
      recovery.clients(Math.max(...clients.map(({ connection }) => connection?.synced_at ?? 0)), Date.now())
  }, 20)
  const doings = new Doings(clients, world, around)
  doings.onSent = recovery.sent
  const between = new PrivateDoings(clients, world, around)
  const faults = new Faults(on, proxy, recovery)
  const from = Date.now()
  await Promise.all([
    timed(from, sends, (send, n) => doings.send(send, n)),
    timed(from, changes, (change) => doings.change(change)),
    timed(from, directs, (direct, n) => between.direct(direct, n)),
    timed(from, calls, (step) => between.call(step)),
    timed(from, reloads, ({ client }) => clients[client]?.reload()),
    timed(from, planned, (fault) => faults.begin(fault)),
    Bun.sleep(ms),
  ])
  isCalm = true
  await faults.healed()
  const underway = () => doings.underway + between.underway
  await waitFor('everything is answered', () => underway() === 0, DRAIN_MS_MAX, underway).catch((error: Error) =>
    ledger.violations.push(`${error.message}: ${underway()} are not`),
  )
  console.log(`calm after ${Date.now() - from} ms`)
  await judge({ clients, world, around, cluster: on, impaired: faults.impaired, reachedAll: probe.reachedAll })
  ledger.violations.push(...faults.failures)
  const resumedMs = recovery.worstSend(FAILED_OVER)
  if (resumedMs > SENDS_AGAIN_MS_MAX) ledger.violations.push(`sends again ${resumedMs} ms after a promotion`)
  const worstGapMs = Math.max(0, ...around.handovers.map(({ ms }) => ms))
  if (kinds.every((kind) => kind === 'replace') && worstGapMs > BACK_MS_MAX)
    ledger.violations.push(`a socket was back ${worstGapMs} ms after its node was replaced`)
  for (const what of recovery.open()) ledger.violations.push(`not recovered: ${what}`)
  clearInterval(watch)
  probe.stop()
  ended.abort()
  await Promise.all(running)
  proxy.stop()
  const { handovers } = around
  report({ faults, counts, recovery, ledger, handovers, refused: proxy.refused(), complaints: on.complaints() })
  return ledger.violations
}

interface Outcome {
  faults: Faults
  counts: ReturnType<typeof newCounts>
  recovery: Recovery
  ledger: Ledger
  handovers: Handover[]
  refused: number
  complaints: string[]
}

function report({ faults, counts, recovery, ledger, handovers, refused, complaints }: Outcome): void {
  const list = (entries: Iterable<[string, number]>) => [...entries].map(([what, n]) => `${n} ${what}`).join(' · ')
  console.log(`faults: ${list(faults.done)}`)
  console.log(`counts: ${list(Object.entries(counts))} · ${refused} connections refused by a node`)
  console.log(`  ${ledger.losses} losses of sight, ${ledger.tolerated} frames under way at one`)
  for (const line of handoverLines(handovers)) console.log(line)
  console.log('recovery:')
  for (const line of recovery.table()) console.log(line)
  const events = Map.groupBy(complaints, (line) => /"event":"([^"]+)"/.exec(line)?.[1] ?? 'no JSON')
  if (complaints.length > 0)
    console.log(`the nodes logged: ${list([...events].map(([name, of]) => [name, of.length]))}`)
  for (const what of ledger.violations.slice(0, SHOWN)) console.log(`VIOLATION ${what}`)
  const { length } = ledger.violations
  console.log(length === 0 ? `PASSED (seed ${seed})` : `FAILED with ${length} violations (seed ${seed})`)
}
