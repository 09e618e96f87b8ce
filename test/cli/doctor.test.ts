import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Person, person } from '../support/harness.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { operating } from '../support/operator.ts'
import { dataDirectory, spawnParley } from '../support/spawned.ts'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Runs the real program. */
async function doctor(variables: Record<string, string>, ...typed: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/cli/doctor.ts'), ...typed], {
    env: operating(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, error }
}

/** A server with relay and SFU on ports of its own. */
async function openServer() {
  const [TURN_PORT, SFU_PORT] = [`${await freePort()}`, `${await freePort()}`]
  const MEDIASOUP_WORKER_BIN = await mediaWorker()
  const data = dataDirectory()
  const variables = { TURN_PORT, SFU_PORT, TURN_ANNOUNCED_ADDRESS: '127.0.0.1' }
  const spawned = await spawnParley(data, { ...variables, MEDIA_WORKER: 'on', MEDIASOUP_WORKER_BIN })
  const { url } = spawned.parley
  for (let state = ''; state !== 'ready'; await Bun.sleep(50))
    state = ((await (await fetch(`${url}/readyz`)).json()) as any).parts.sfu
  return { ...spawned, url, variables: { ...variables, DATA_DIR: data } }
}

test(
  'the doctor finds every port of a running server open, by its DATA_DIR and by a token',
  async () => {
    const { url, variables, parley, child } = await openServer()
    const near = await doctor(variables, url)
    expect(near).toMatchObject({ code: 0, error: '' })
    for (const part of ['HTTP', 'STUN', 'TURN over UDP', 'TURN over TCP', 'SFU, TCP port'])
      expect(near.out).toContain(`ok     ${part}`)
    const alice: Person = await person(parley, 'alice')
    const { SFU_PORT } = variables
    expect(await doctor({ SFU_PORT }, url, alice.token)).toMatchObject({ code: 0, error: '' })
    expect(await doctor({ SFU_PORT }, url, 'nonsense')).toMatchObject({ code: 1, out: '' })
    child.kill()
    await child.exited
  },
  WORKER_MS,
)

test(
  'the doctor names the closed ports in one sentence, and a relay that refuses its credentials',
  async () => {
    const { url, variables, child } = await openServer()
    const [turn, sfu] = [`${await freePort()}`, `${await freePort()}`]
    const closed = await doctor({ ...variables, TURN_PORT: turn, SFU_PORT: sfu }, url)
    expect(closed.code).toBe(1)
    expect(closed.error.trimEnd().split('\n')).toHaveLength(1)
    for (const port of [`UDP port ${turn}`, `TCP port ${turn}`, `TCP port ${sfu}`])
      expect(closed.error).toContain(`${port} of `)
    expect(closed.error).not.toContain(`port ${variables.TURN_PORT}`)
    const stranger = await doctor({ ...variables, TURN_SECRET: 'not-the-secret-of-it' }, url)
    expect(stranger.code).toBe(1)
    expect(stranger.error).toContain('it refuses to allocate (401)')
    child.kill()
    await child.exited
  },
  WORKER_MS,
)

test('the doctor and the start-up line say when browsers give no microphones', async () => {
  const data = dataDirectory()
  const PUBLIC_URL = 'http://chat.example.org'
  const { said, child } = await spawnParley(data, { PUBLIC_URL })
  expect(said).toContain('browsers give microphones only to https or localhost')
  child.kill()
  await child.exited
  const away = await doctor({ TURN_PORT: 'off', DATA_DIR: data }, `http://127.0.0.1:${await freePort()}`)
  expect(away.error).toMatch(/^Calls will not work for everyone: nothing answers at http:\/\/127\.0\.0\.1:\d+\.\n$/)
  const unsafe = await doctor({ PUBLIC_URL, TURN_PORT: 'off', DATA_DIR: data })
  expect(unsafe.error).toContain('http://chat.example.org is neither')
  expect(await doctor({}, 'chat.example.org')).toMatchObject({ code: 2, out: '' })
})

test(
  'the doctor says when the proxy at PUBLIC_URL does not send X-Forwarded-For, or is not trusted',
  async () => {
    let [target, header]: [string, Record<string, string>] = ['', {}]
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url, headers }) =>
        fetch(target + new URL(url).pathname, {
          headers: { authorization: headers.get('authorization') ?? '', ...header },
        }),
    })
    const PUBLIC_URL = `http://127.0.0.1:${proxy.port}`
    const METRICS_TOKEN = 'a-token-for-the-metrics'
    for (const trusted of [{}, { TRUSTED_PROXIES: '127.0.0.1' }] as Record<string, string>[]) {
      const data = dataDirectory()
      const variables = { PUBLIC_URL, METRICS_TOKEN, ...trusted }
      const { said, child } = await spawnParley(data, variables)
      target = /docs at (http:\/\/[\d.:]+)/.exec(said)?.[1] ?? ''
      const ask = (more: Record<string, string> = {}) =>
        doctor({ ...variables, TURN_PORT: 'off', DATA_DIR: data, ...more })
      header = {}
      const silent = await ask()
      expect([silent.code, silent.error]).toEqual([
        1,
        `All people share one rate limit: the proxy at ${PUBLIC_URL} sends no X-Forwarded-For.\n`,
      ])
      header = { 'x-forwarded-for': '203.0.113.9' }
      const named = await ask()
      expect(named.error).toContain('TRUSTED_PROXIES' in trusted ? '' : `TRUSTED_PROXIES does not name the proxy`)
      expect(named.code).toBe('TRUSTED_PROXIES' in trusted ? 0 : 1)
      const unseen = await ask({ METRICS_TOKEN: '' })
      expect(unseen.error.includes('PUBLIC_URL is set and TRUSTED_PROXIES is not')).toBe(
        !('TRUSTED_PROXIES' in trusted),
      )
      child.kill()
      await child.exited
    }
    await proxy.stop(true)
  },
  WORKER_MS,
)
