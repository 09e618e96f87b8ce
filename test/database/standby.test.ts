import { afterAll, expect, test } from 'bun:test'
import { openProxy } from '../chaos/proxy.ts'
import { boot, call, person, newServer, say, stop, until } from '../support/harness.ts'
import { isResumed, resume } from '../support/resuming.ts'
import { connect, newestS } from '../support/socket.ts'
import { dataDirectory, refusal, SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = await primaryAndStandby()
afterAll(() => Promise.all([servers?.primary.kill(), servers?.standby.kill()]))

/** An address that leads to one of the two. */
function movingAddress(first: number) {
  let port = first
  const proxy = openProxy(() => [port])
  return {
    port: Number(new URL(proxy.url).port),
    stop: () => proxy.stop(),
    lead(to: number) {
      port = to
      proxy.cut(proxy.some(1))
    },
  }
}

test.skipIf(!servers)(
  'a read-only database counts as away: 503 until it accepts writes, and a start on it says so',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const address = movingAddress(primary.port)
    const parley = await boot({ DATABASE_URL: primary.url(address.port) })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    await until(() => standby.psql(`select count(*) from channels where id = ${channel_id}`) === '1')
    address.lead(standby.port)
    await until(async () => {
      const { status, headers, body } = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Hello' })
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      return body.detail === 'The database is read-only'
    })
    expect((await call(parley, 'GET', '/readyz')).body.parts.database).toBe('away')
    const { code, error } = await refusal(dataDirectory(), { DATABASE_URL: standby.url() })
    expect([code, error]).toEqual([1, expect.stringMatching(/^DATABASE_URL is a read-only PostgreSQL.*\n$/)])
    address.lead(primary.port)
    await until(async () => (await call(parley, 'GET', '/readyz')).body.parts.database === 'ok')
    await say(alice, channel_id, 'Hello again')
    await stop(parley)
    address.stop()
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'clients begin afresh when a standby takes over without the newest events, and receive later ones',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const address = movingAddress(primary.port)
    const parley = await boot({ DATABASE_URL: primary.url(address.port) })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    await say(alice, channel_id, 'kept')
    const replayed = (content: string) =>
      standby.psql(`select count(*) from messages where content = '${content}'`) === '1'
    await until(() => replayed('kept'))
    // Replication ends, so later changes are lost.
    standby.psql(`alter system set primary_conninfo = ''`)
    standby.psql('select pg_reload_conf()')
    await until(() => standby.psql('select count(*) from pg_stat_wal_receiver') === '0')
    const live = await connect(alice)
    for (let n = 0; n < 40; n++) await say(alice, channel_id, `lost ${n}`)
    await live.next('message.created', ({ d }) => d.content === 'lost 39')
    const s = newestS(live)
    const logStarts = () => Number(standby.psql(`select count(*) from events where type = 'log.started'`))
    const startsBefore = logStarts()
    await primary.kill()
    standby.psql('select pg_promote()')
    address.lead(standby.port)
    await live.closed
    await until(async () => (await call(parley, 'GET', '/readyz')).body.parts.database === 'ok')
    await until(() => logStarts() > startsBefore)
    const attempt = async () => {
      const socket = await resume(alice, s)
      await say(alice, channel_id, 'after')
      return { again: socket, ...(await socket.next('message.created', ({ d }) => d.content === 'after')) }
    }
    // The server has written the event, but may not have closed all sockets yet: like a client, connect once more.
    const { again, s: next } = await attempt().catch(attempt)
    expect(isResumed(again)).toBe(false)
    expect(next).toBeGreaterThan(s)
    const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
    expect(
      body.map(({ content }: { content: string }) => content).filter((c: string) => !c.startsWith('lost')),
    ).toEqual(expect.arrayContaining(['after', 'kept']))
    again.close()
    await stop(parley)
    address.stop()
  },
  SPAWN_MS,
)
