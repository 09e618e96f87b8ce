import { afterAll, expect, test } from 'bun:test'
import { codeOf } from '../../src/core/errors.ts'
import { openDatabase } from '../../src/database/database.ts'
import { isReplayed } from '../../src/database/replica.ts'
import { PublicPages } from '../../src/features/public-pages/page-cache.ts'
import { boot, newServer, type Person, person, say, stop, until } from '../support/harness.ts'
import { passerBy } from '../support/places.ts'
import { publicPlace, settle } from '../support/public-pages.ts'
import { replicaMetric, withReplicas } from '../support/replicas.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby, type Server } from '../support/standby.ts'

const servers = await primaryAndStandby()
afterAll(() => Promise.all([servers?.primary.crash(), servers?.standby.crash()]))

type Parley = Awaited<ReturnType<typeof boot>>

const withReplica = ({ primary, standby }: { primary: Server; standby: Server }) => withReplicas(primary, [standby])
const metric = (parley: Parley, name: string, server?: string) =>
  replicaMetric(parley, name, server ?? `127.0.0.1:${servers?.standby.port}`)
const readsOf = (parley: Parley, server?: string) => metric(parley, 'parley_replica_reads_total', server)

const contentsOf = async (who: Person, channelId: number): Promise<string[]> => {
  const { status, body } = await who.get(`/api/channels/${channelId}/messages?limit=100`)
  expect(status).toBe(200)
  return body.map(({ content }: { content: string }) => content)
}

test('a position is replayed by a standby of the same timeline that is as far', () => {
  const at = (lsn: bigint, timeline: number | null = 1, isStandby = true) => ({ lsn, timeline, isStandby })
  expect(isReplayed(at(5n), { lsn: 5n, timeline: 1 })).toBe(true)
  expect(isReplayed(at(4n), { lsn: 5n, timeline: 1 })).toBe(false)
  expect(isReplayed(at(9n, 1), { lsn: 5n, timeline: 2 })).toBe(false)
  expect(isReplayed(at(9n, 1, false), { lsn: 5n, timeline: 1 })).toBe(false)
  expect(isReplayed(undefined, { lsn: 0n, timeline: 1 })).toBe(false)
})

test.skipIf(!servers)(
  'history, direct messages and search are read on the replica, and metrics count them',
  async () => {
    if (!servers) return
    const parley = await withReplica(servers)
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    await say(alice, channel_id, 'A heron at the weir')
    const dm = await alice.post('/api/dm/messages', { recipient_id: bob.id, content: 'Seen it?' })
    expect(dm.status).toBe(201)
    await parley.sweep()
    const reads: [string, () => Promise<void>][] = [
      ['history', async () => expect(await contentsOf(bob, channel_id)).toContain('A heron at the weir')],
      ['dm', async () => expect((await bob.get(`/api/dm/${alice.id}/messages`)).body).toHaveLength(1)],
      ['search', async () => expect((await bob.get('/api/search?q=heron')).body.messages).toHaveLength(1)],
      ['server', async () => expect((await bob.get(`/api/search?q=heron&server_id=${server_id}`)).status).toBe(200)],
    ]
    for (const [name, read] of reads) {
      const before = await readsOf(parley)
      // A busy machine may be late: then the primary serves the read.
      await until(async () => {
        await read()
        return (await readsOf(parley)) > before
      })
      expect(name).toBeString()
    }
    expect(await metric(parley, 'parley_replica_lag_seconds')).toBeLessThan(60)
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a public page is built on the replica, and shows nothing that was withdrawn before the request',
  async () => {
    if (!servers) return
    const parley = await withReplica(servers)
    const { sql, read } = parley.parts
    const pages = new PublicPages(sql, 16, undefined, read)
    const alice = await passerBy(parley, 'alice')
    const { server_id, open_id } = await publicPlace(alice)
    const text = async () => {
      const address = { server_id, channel_id: open_id, form: 'html' } as const
      const page = await pages.page({ ...address, thread_id: undefined }, {}, parley.url, async () => {})
      return new TextDecoder().decode(page?.body)
    }
    await until(async () => {
      const before = await readsOf(parley)
      const { id } = await say(alice, open_id, 'A kingfisher')
      await settle(parley, server_id)
      expect(await text()).toInclude('A kingfisher')
      const isOnReplica = (await readsOf(parley)) > before
      servers.standby.psql('select pg_wal_replay_pause()')
      expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
      expect(await text()).not.toInclude('A kingfisher')
      servers.standby.psql('select pg_wal_replay_resume()')
      expect(await text()).not.toInclude('A kingfisher')
      return isOnReplica
    })
    await stop(parley)
  },
  SPAWN_MS,
)

/** Pseudorandom numbers below 1, always the same. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

test.skipIf(!servers)(
  'everybody always reads the newest state, while the replica is held back and let go at random',
  async () => {
    if (!servers) return
    const { standby } = servers
    const parley = await withReplica(servers)
    const other = await boot({ DATABASE_REPLICA_URLS: standby.url() }, parley)
    const people = [await person(parley, 'alice'), await person(other, 'bob'), await person(parley, 'carol')]
    const [alice, ...others] = people as [Person, ...Person[]]
    const { channel_id } = await newServer(alice, ...others)
    const random = randomNumbers(31)
    /** The messages of the channel, newest first, as they must be. */
    const model: { id: number; content: string; author: Person }[] = []
    const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T
    for (let step = 0; step < 120; step++) {
      const chance = random()
      const message = model.length > 0 ? pick(model) : undefined
      if (chance < 0.08) standby.psql(`select pg_wal_replay_${pick(['pause', 'resume', 'resume'])}()`)
      else if (chance < 0.4 || !message) {
        const author = pick(people)
        const { id } = await say(author, channel_id, `Sighting ${step}`)
        model.unshift({ id, content: `Sighting ${step}`, author })
      } else if (chance < 0.55) {
        message.content = `Corrected ${step}`
        const { status } = await message.author.put(`/api/messages/${message.id}`, { content: message.content })
        expect(status).toBe(200)
      } else if (chance < 0.65) {
        expect((await message.author.delete(`/api/messages/${message.id}`)).status).toBe(204)
        model.splice(model.indexOf(message), 1)
      }
      const readers = await Promise.all(people.map((who) => contentsOf(who, channel_id)))
      for (const contents of readers) expect(contents).toEqual(model.map(({ content }) => content))
    }
    standby.psql('select pg_wal_replay_resume()')
    await until(async () => (await metric(parley, 'parley_replica_used')) === 1)
    await until(async () => {
      await contentsOf(alice, channel_id)
      return (await readsOf(parley)) > 0
    })
    expect(await readsOf(parley, 'primary')).toBeGreaterThan(0)
    await stop(other)
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a member who is kicked while replay is paused reads nothing more, and the lag of the replica grows',
  async () => {
    if (!servers) return
    const { standby } = servers
    const parley = await withReplica(servers)
    const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
    const { server_id, channel_id } = await newServer(alice, mallory)
    await say(alice, channel_id, 'Before')
    expect(await contentsOf(mallory, channel_id)).toContain('Before')
    standby.psql('select pg_wal_replay_pause()')
    expect((await alice.delete(`/api/servers/${server_id}/members/${mallory.id}`)).status).toBe(204)
    const answer = await mallory.get(`/api/channels/${channel_id}/messages`)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect((await mallory.get(`/api/search?q=before`)).body.messages).toEqual([])
    await until(async () => (await metric(parley, 'parley_replica_lag_seconds')) > 2)
    expect(await contentsOf(alice, channel_id)).toEqual(['Before'])
    expect(await metric(parley, 'parley_replica_used')).toBe(0)
    standby.psql('select pg_wal_replay_resume()')
    await until(async () => (await metric(parley, 'parley_replica_used')) === 1)
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a read that the replica cancels, or may not do, is repeated on the primary; its own errors are not',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    standby.psql(`alter system set max_standby_streaming_delay = '50ms'`)
    standby.psql('select pg_reload_conf()')
    const parley = await withReplica(servers)
    primary.psql('create table sightings (n int); grant all on sightings to parley; insert into sightings values (1)')
    const { read } = parley.parts
    const ran: boolean[] = []
    await until(async () => {
      ran.length = 0
      const began = Promise.withResolvers<void>()
      const reading = read('history', (sql) =>
        sql.begin(async (tx) => {
          const [row] = await tx<{ standby: boolean }[]>`select pg_is_in_recovery() as standby, n from sightings`
          ran.push(row?.standby ?? false)
          began.resolve()
          if (row?.standby) await tx`select pg_sleep(120)`
          return row
        }),
      )
      await began.promise
      if (ran[0]) primary.psql('truncate sightings; insert into sightings values (2)')
      expect(await reading).toMatchObject({ standby: false })
      return ran.length === 2
    })
    expect(ran).toEqual([true, false])
    await until(async () => (await metric(parley, 'parley_replica_used')) === 1)
    const refused = read('history', (sql) => sql`select 1 / 0`).catch(codeOf)
    expect(await refused).toBe('22012')
    expect(await metric(parley, 'parley_replica_used')).toBe(1)
    await read('history', (sql) => sql`insert into sightings values (3)`)
    expect(primary.psql('select max(n) from sightings')).toBe('3')
    primary.psql('drop table sightings')
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'reads that take all connections to a replica for long are not taken for its loss',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const connections = { DATABASE_CONNECTIONS: '2' }
    const parley = await boot({
      DATABASE_URL: primary.url(),
      DATABASE_REPLICA_URLS: standby.url(),
      ...connections,
    })
    await until(async () => (await metric(parley, 'parley_replica_used')) === 1)
    // Longer than a check waits for an answer.
    const long = async () => {
      const ran: boolean[] = []
      await parley.parts.read('history', async (sql) => {
        const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby, pg_sleep(4)::text`
        ran.push(row?.standby ?? false)
      })
      return ran
    }
    // A busy machine may be late: then the primary serves a read.
    await until(async () => {
      const all = await Promise.all([long(), long()])
      return all.every((ran) => ran.length === 1 && ran[0])
    })
    expect(await metric(parley, 'parley_replica_used')).toBe(1)
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a replica that cannot be reached, or is no standby, serves nothing, and keeps nothing from starting',
  async () => {
    if (!servers) return
    const { primary } = servers
    const away = 'postgres://parley@127.0.0.1:1/parley'
    const parley = await boot({ DATABASE_URL: primary.url(), DATABASE_REPLICA_URLS: away })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    await say(alice, channel_id, 'Alone')
    expect(await contentsOf(alice, channel_id)).toContain('Alone')
    expect(await metric(parley, 'parley_replica_lag_seconds', '127.0.0.1:1')).toBe(Infinity)
    expect(await readsOf(parley, 'primary')).toBe(1)
    // A primary is no standby, even of itself.
    const itself = await boot({ DATABASE_REPLICA_URLS: primary.url() }, parley)
    const bob = await person(itself, 'bob')
    await newServer(bob)
    expect(await metric(itself, 'parley_replica_used', `127.0.0.1:${primary.port}`)).toBe(0)
    for (const server of [itself, parley]) await stop(server)
  },
  SPAWN_MS,
)

// The last test: the standby is no standby afterwards, and then ends.
test.skipIf(!servers)(
  'reads go on when the replica is promoted, and when it is killed',
  async () => {
    if (!servers) return
    const { standby } = servers
    const parley = await withReplica(servers)
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const reads = { count: 0, isEnding: false }
    await say(alice, channel_id, 'Constant')
    const reading = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!reads.isEnding) {
          expect(await contentsOf(alice, channel_id)).toContain('Constant')
          reads.count++
        }
      }),
    )
    const readMore = async () => {
      const before = reads.count
      await until(() => reads.count > before + 40)
    }
    await readMore()
    standby.promote()
    await until(() => standby.psql('select pg_is_in_recovery()') === 'f')
    await say(alice, channel_id, 'After the promotion')
    expect(await contentsOf(alice, channel_id)).toContain('After the promotion')
    await until(async () => (await metric(parley, 'parley_replica_used')) === 0)
    await readMore()
    await standby.crash()
    await readMore()
    reads.isEnding = true
    await reading
    const sql = openDatabase({ url: servers.primary.url() }, 1)
    expect(await sql`select from messages where channel_id = ${channel_id}`).toHaveLength(2)
    await sql.end()
    await stop(parley)
  },
  SPAWN_MS,
)
