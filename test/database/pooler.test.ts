import { afterAll, expect, test } from 'bun:test'
import { boot, person, newServer, say, stop } from '../support/harness.ts'
import { hasPgBouncer, pgBouncer } from '../support/pgbouncer.ts'
import { connect } from '../support/socket.ts'
import { dataDirectory, refusal, SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = hasPgBouncer ? await primaryAndStandby() : undefined
afterAll(() => Promise.all([servers?.primary.kill(), servers?.standby.kill()]))
const IGNORED = 'statement_timeout, idle_in_transaction_session_timeout'

async function refusedBy(settings: Record<string, string>): Promise<string> {
  const pooler = await pgBouncer(servers?.primary.url() ?? '', settings)
  const { code, out, error } = await refusal(dataDirectory(), { DATABASE_URL: pooler.url })
  await pooler.stop()
  expect([code, out, error.trimEnd().split('\n').length]).toEqual([1, '', 1])
  return error
}

test.skipIf(!servers)(
  'a pooler that refuses parameters, or pools by transaction or statement, is refused with the remedy',
  async () => {
    expect(await refusedBy({ pool_mode: 'session' })).toContain(`set ignore_startup_parameters = ${IGNORED}.`)
    for (const pool_mode of ['transaction', 'statement'])
      expect(await refusedBy({ pool_mode, ignore_startup_parameters: IGNORED })).toContain('pool_mode = session')
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'behind a pooler by session the server works, and its time limits hold though the pooler ignores them',
  async () => {
    const pooler = await pgBouncer(servers?.primary.url() ?? '', {
      pool_mode: 'session',
      ignore_startup_parameters: IGNORED,
    })
    const parley = await boot({ DATABASE_URL: pooler.url })
    const [row] = await parley.parts.sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`
    expect(row).toEqual({ statement: '30s', idle: '30s' })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const live = await connect(alice)
    await say(alice, channel_id, 'through the pooler')
    await live.next('message.created', ({ d }) => d.content === 'through the pooler')
    live.close()
    await stop(parley)
    await pooler.stop()
  },
  SPAWN_MS,
)
