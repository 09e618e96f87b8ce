import { afterAll, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { operating } from '../support/operator.ts'
import { hasPgBouncer, pgBouncer } from '../support/pgbouncer.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = redisProgram && hasPgBouncer ? await primaryAndStandby() : undefined
afterAll(() => Promise.all([servers?.primary.kill(), servers?.standby.kill()]))

async function doctor(url: string, variables: Record<string, string>): Promise<{ out: string; error: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/cli/doctor.ts'), url], {
    env: operating({ TURN_PORT: 'off', MEDIA_WORKER: 'off', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  return { out, error }
}

test.skipIf(!servers)(
  'the doctor judges the database, the pooler, Redis and DATA_DIR, and names the remedy of each fault',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const data = dataDirectory()
    const redis = await redisServer()
    const replica = await redisServer('--replicaof', `127.0.0.1 ${redis.port}`)
    const { parley, child } = await spawnParley(data)
    const sound = await doctor(parley.url, { DATA_DIR: data, DATABASE_URL: primary.url() })
    const umask = process.umask().toString(8).padStart(3, '0')
    for (const line of [
      'PostgreSQL at 127.0.0.1',
      'replication: asynchronous',
      'certificate of PostgreSQL: none is needed on this machine',
      `DATA_DIR ${data}, with umask ${umask}`,
    ])
      expect(sound.out).toContain(`ok     ${line}`)
    expect(sound.error).not.toContain('has faults')
    const pooler = await pgBouncer(primary.url(), {
      pool_mode: 'transaction',
      ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout',
    })
    chmodSync(join(data, 'secrets.json'), 0o644)
    const faults: [variables: Record<string, string>, remedy: string][] = [
      [{ DATABASE_URL: standby.url() }, 'name the primary'],
      [{ DATABASE_URL: pooler.url }, 'pool_mode = session'],
      [{ REDIS_URL: replica.url }, 'REDIS_URL is not usable: it is a replica, which takes no writes: name the primary'],
      [{ REDIS_URL: redis.url }, 'set S3_ENDPOINT'],
      [{ REDIS_URL: 'redis://127.0.0.1:1' }, 'REDIS_URL is unreachable'],
      [{}, 'chmod 600'],
    ]
    for (const [variables, remedy] of faults)
      expect([remedy, (await doctor(parley.url, { DATA_DIR: data, ...variables })).error]).toEqual([
        remedy,
        expect.stringContaining(remedy),
      ])
    await pooler.stop()
    child.kill('SIGTERM')
    await child.exited
  },
  SPAWN_MS,
)
