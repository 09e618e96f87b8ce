import { openLog } from '../src/core/log.ts'
import { RedisNodes } from '../src/cluster/redis-nodes.ts'
import type { Table } from '../src/cluster/node-tables.ts'
import { openRedis, type RedisLink } from '../src/redis/client.ts'
import { quantile } from './report.ts'
import { serveCommands } from './processes.ts'

// A program that is many processes of an installation, as far as presence is concerned: each writes the rows of its
// accounts.

interface Node {
  nodes: RedisNodes
  table: Table
  link: RedisLink
  /** The accounts that are online. */
  online: Set<number>
}

const running: Node[] = []
let firstId = 0

interface OpenCommand {
  redis: string
  installation: string
  nodes: number
  /** Accounts that are online, over all nodes. */
  online: number
}

/** Opens the nodes, and brings their accounts online a few after the other, as people arrive in the morning. */
async function open({ redis, installation, nodes, online }: OpenCommand) {
  for (let at = 0; at < nodes; at++) {
    const link = openRedis(redis, installation, false, openLog('silent'))
    const own = new RedisNodes(link, openLog('silent'))
    running.push({ nodes: own, table: own.table('presence'), link, online: new Set() })
  }
  while (running.some(({ nodes: own }) => own.others().length < nodes - 1)) await Bun.sleep(50)
  for (firstId = 1; firstId <= online; firstId++) {
    const node = running[firstId % nodes]
    node?.table.put(String(firstId), 'online')
    node?.online.add(firstId)
    if (firstId % 2_000 === 0) await Bun.sleep(50)
  }
  return {}
}

interface ChurnCommand {
  seconds: number
  /** Accounts that leave, and as many that arrive, a second. */
  per_s: number
}

/** People come and go at a steady rate. @returns how long a change took until the next node had it, ms */
async function churn({ seconds, per_s }: ChurnCommand) {
  const [first, second] = running
  if (!first || !second) throw new Error('There are fewer than two nodes')
  const putAt = new Map<string, number>()
  const delays: number[] = []
  second.table.onChange((key) => {
    const at = putAt.get(key)
    if (at === undefined) return
    putAt.delete(key)
    delays.push(performance.now() - at)
  })
  const started = performance.now()
  let changes = 0
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) * per_s) / 1000
    for (; changes < due; changes++) {
      const node = running[changes % running.length]
      const [leaving] = node?.online ?? []
      if (!node || leaving === undefined) continue
      node.table.put(String(leaving), undefined)
      node.online.delete(leaving)
      const arriving = firstId++
      if (node === first) putAt.set(String(arriving), performance.now())
      node.table.put(String(arriving), 'online')
      node.online.add(arriving)
    }
    await Bun.sleep(5)
  }
  while (putAt.size > 0) await Bun.sleep(20)
  return { changes, p50_ms: quantile(delays, 0.5), p99_ms: quantile(delays, 0.99), most_ms: Math.max(...delays) }
}

serveCommands({ open, churn })
