import { afterAll, describe, expect, test } from 'bun:test'
import { boot, call, stop, until } from './harness.ts'

const binary = Bun.which('redis-server')
if (!binary) console.error('SKIPPED LOUDLY: no redis-server on this machine (Debian: apt-get install redis-server)')

const redis = async (port: number) => {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no']
  const child = Bun.spawn([binary as string, ...args], { stdout: 'ignore', stderr: 'ignore' })
  await until(async () => {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => undefined)
    socket?.end()
    return socket !== undefined
  })
  return child
}
const freePort = (): number => {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}

describe.if(binary !== null)('rate limits in Redis', () => {
  const children: Bun.Subprocess[] = []
  afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

  const guess = (parley: Awaited<ReturnType<typeof boot>>, username: string) =>
    call(parley, 'POST', '/api/auth/login', { body: { username, password: 'Wrong-Guess-99!' } })

  test('two processes count together, and each alone while Redis is away', async () => {
    const port = freePort()
    const first = await redis(port)
    children.push(first)
    const variables = { RATE_LIMITS: 'on', REDIS_URL: `redis://127.0.0.1:${port}` }
    const [one, two] = [await boot(variables), await boot(variables)]
    await until(async () => (await call(one, 'GET', '/readyz')).status === 200)
    const statuses: number[] = []
    for (const parley of [one, two, one, two, one, two]) statuses.push((await guess(parley, 'mallory')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])

    first.kill('SIGKILL')
    await first.exited
    expect((await guess(one, 'mallory')).status).toBe(401)
    children.push(await redis(port))
    await until(async () => {
      const { status } = await guess(one, 'trent')
      return status === 429
    })
    for (const parley of [one, two]) await stop(parley)
  })
})
