import { afterAll, expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { boot, stop, until } from '../support/harness.ts'
import { replicaMetric } from '../support/replicas.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = await primaryAndStandby()
afterAll(() => Promise.all([servers?.primary.crash(), servers?.standby.crash()]))

/** A network in front of a port. Once it is cut, nothing passes any more, and no connection is closed. */
async function openNetwork(to: number) {
  let isCut = false
  const sockets: Socket[] = []
  const network = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    sockets.push(near, far)
    near.on('error', () => {}).on('data', (bytes) => isCut || far.write(bytes))
    far.on('error', () => {}).on('data', (bytes) => isCut || near.write(bytes))
  })
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    network.close()
  }
  return { port: (network.address() as { port: number }).port, cut: () => void (isCut = true), close }
}

test.skipIf(!servers)(
  'reads on a replica that falls silent are repeated on the primary, also if it was late for another read before',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const network = await openNetwork(standby.port)
    const url = standby.url().replace(`:${standby.port}`, `:${network.port}`)
    const parley = await boot({ DATABASE_URL: primary.url(), DATABASE_REPLICA_URLS: url })
    const isUsed = () => replicaMetric(parley, 'parley_replica_used', `127.0.0.1:${network.port}`)
    await until(async () => (await isUsed()) === 1)
    const { read } = parley.parts
    const cut = Promise.withResolvers<void>()
    const begin = async () => {
      const first = Promise.withResolvers<string>()
      const reading = read('history', async (sql, source) => {
        await sql`select 1`
        first.resolve(source)
        if (source === 'replica') await cut.promise
        await sql`select 1`
        return source
      })
      return (await first.promise) === 'replica' ? { reading } : undefined
    }
    // A busy machine may be late: then the primary serves a read.
    let begun: Awaited<ReturnType<typeof begin>>
    await until(async () => (begun ??= await begin()) !== undefined)
    network.cut()
    cut.resolve()
    primary.psql(`select pg_logical_emit_message(true, 'test', 'Something that the replica lacks')`)
    expect(await read('history', async (_sql, source) => source)).toBe('primary')
    expect(await isUsed()).toBe(0)
    expect(await begun?.reading).toBe('primary')
    await stop(parley)
    network.close()
  },
  SPAWN_MS,
)
