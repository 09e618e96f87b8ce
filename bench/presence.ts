import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationOf } from '../src/database/secrets.ts'
import { ask, redisServer } from '../test/support/redis.ts'
import { cpuMicroseconds, openChild, residentBytes } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { type BenchServer, withServer } from './server.ts'

const PROCESSES = 20
const ONLINE = 200_000
/** People stay for half an hour on average, so that this many arrive, and leave, in a second. */
const ARRIVALS_PER_S = Math.round(ONLINE / (30 * 60))
const CHURN_SECONDS = 30
const SETTLE_MS = 8_000
const BYTES_MAX = 400

/**
 * Measures what presence costs a process of a large installation: a server among twenty processes, with 200,000
 * accounts online. The others are one program that writes their rows through the same Redis.
 */
export async function presence(): Promise<Figure[]> {
  const redis = await redisServer()
  try {
    const variables = { REDIS_URL: redis.url }
    return await withServer((bench) => measure(bench, redis), undefined, variables, true)
  } finally {
    await redis.kill()
  }
}

async function measure(
  { process: server, data }: BenchServer,
  redis: { url: string; port: number },
): Promise<Figure[]> {
  const { pid } = server
  const others = openChild('presence-nodes.ts')
  try {
    const installation = installationOf(JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')))
    await Bun.sleep(SETTLE_MS)
    await server.collect()
    const before = residentBytes(pid)
    await others.ask('open', { redis: redis.url, installation, nodes: PROCESSES - 1, online: ONLINE })
    await Bun.sleep(SETTLE_MS)
    await server.collect()
    const bytes = (residentBytes(pid) - before) / ONLINE
    const sentBefore = await messagesOf(redis.port)
    const cpuBefore = cpuMicroseconds(pid)
    const churned = await others.ask<{ changes: number; p50_ms: number; p99_ms: number; most_ms: number }>('churn', {
      seconds: CHURN_SECONDS,
      per_s: ARRIVALS_PER_S,
    })
    const cpu = (cpuMicroseconds(pid) - cpuBefore) / (CHURN_SECONDS * 1e6)
    const sent = ((await messagesOf(redis.port)) - sentBefore) / CHURN_SECONDS
    const name = `${PROCESSES} processes, ${ONLINE} online`
    return [
      {
        name: `${name}: memory of a process`,
        unit: 'bytes an account',
        parley: [bytes],
        target: atMost(BYTES_MAX, bytes, `≤ ${BYTES_MAX} bytes`),
      },
      {
        name: `${name}, ${ARRIVALS_PER_S} arrive and leave a second: processor time of a process`,
        unit: '% of a core',
        parley: [cpu * 100],
      },
      { name: 'the same: commands of Redis', unit: 'a second', parley: [sent] },
      { name: 'the same: until another process knows, p99', unit: 'ms', parley: [churned.p99_ms] },
      { name: 'the same: until another process knows, worst', unit: 'ms', parley: [churned.most_ms] },
    ]
  } finally {
    await others.stop()
  }
}

/** Commands that the Redis has run. */
async function messagesOf(port: number): Promise<number> {
  const info = String(await ask(port, 'INFO', 'stats'))
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1] ?? 0)
}
