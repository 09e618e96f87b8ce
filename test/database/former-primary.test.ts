import { afterAll, expect, test } from 'bun:test'
import { openDatabase } from '../../src/database/database.ts'
import { bothOf, contentsOf, Sending } from '../support/failover.ts'
import { boot, call, inCommon, newServer, person, stop, until } from '../support/harness.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = redisProgram ? await primaryAndStandby() : undefined
afterAll(() => Promise.all([servers?.primary.crash(), servers?.standby.crash()]))
const SENT = 20

test.skipIf(!servers)(
  'a former primary that is started again next to the new one gets no connection, even as the first in the list',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const redis = await redisServer()
    const parley = await boot({ DATABASE_URL: bothOf(servers), REDIS_URL: redis.url })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const sending = new Sending(alice, channel_id)
    const hasSent = (more: number) => {
      const least = sending.acknowledged.length + more
      return until(() => sending.acknowledged.length >= least)
    }
    await hasSent(SENT)
    await primary.crash()
    standby.promote()
    await hasSent(SENT)

    // Nobody has fenced it: it takes writes.
    await primary.startAgain()
    expect(primary.psql('select pg_is_in_recovery()')).toBe('f')
    const before = contentsOf(primary).size
    for (let tries = 0; tries < 5; tries++) {
      const sql = openDatabase({ url: bothOf(servers) }, 2)
      expect([...(await sql`select current_setting('port')::int as port`)]).toEqual([{ port: standby.port }])
      await sql.end()
    }
    const alone = openDatabase({ url: primary.url() }, 1)
    expect(await alone`select 1`.catch((error: { code?: string }) => error.code)).toBe('25006')
    await alone.end({ timeout: 0 })
    parley.parts.sql.dropOlder(performance.now())
    await hasSent(SENT)

    // A process that knows only the former primary learns from the other one that there is a newer.
    const variables = { ...inCommon(parley), DATABASE_URL: primary.url() }
    const late = await spawnParley(dataDirectory(), variables).catch((error: Error) => error)
    // It may learn that while it starts, and then refuses to.
    if (late instanceof Error) expect(late.message).toContain('the server is a former primary')
    else {
      await until(async () => (await call(late.parley, 'GET', '/readyz')).body.parts.database !== 'ok')
      late.child.kill('SIGKILL')
    }
    await hasSent(SENT)
    await sending.end()
    expect(contentsOf(primary).size).toBe(before)
    const stored = contentsOf(standby)
    // The last ones before the crash may be lost: replication is asynchronous.
    const newest = sending.acknowledged.slice(-3 * SENT)
    expect(newest.filter(({ content }) => !stored.has(content))).toEqual([])
    await stop(parley)
  },
  SPAWN_MS,
)
