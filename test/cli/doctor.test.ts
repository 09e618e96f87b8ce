import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, person } from '../support/harness.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { Mailbox } from '../support/mailbox.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { operating } from '../support/operator.ts'
import { dataDirectory, emptyDatabase, SPAWN_MS, spawnParley } from '../support/spawned.ts'
import { relayPort, selfSigned } from '../support/turn-client.ts'

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

/** A server with relay and SFU on its own ports. */
async function openServer() {
  const [TURN_PORT, SFU_PORT] = [`${await relayPort()}`, `${await relayPort()}`]
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
    const [turn, sfu] = [`${await relayPort()}`, `${await relayPort()}`]
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
  const { output, child } = await spawnParley(data, { PUBLIC_URL })
  expect(output).toContain('browsers give microphones only to https or localhost')
  child.kill()
  await child.exited
  const away = await doctor({ TURN_PORT: 'off', DATA_DIR: data }, `http://127.0.0.1:${await relayPort()}`)
  expect(away.error).toMatch(/^Calls will not work for everyone: nothing answers at http:\/\/127\.0\.0\.1:\d+\.\n$/)
  const unsafe = await doctor({ PUBLIC_URL, TURN_PORT: 'off', DATA_DIR: data })
  expect(unsafe.error).toContain('http://chat.example.org is neither')
  expect(await doctor({}, 'chat.example.org')).toMatchObject({ code: 2, out: '' })
})

test(
  'with TURN_PORT=0 and SFU_PORT=0 the doctor says that it cannot know the ports, and checks the rest',
  async () => {
    const data = dataDirectory()
    const variables = { TURN_PORT: '0', SFU_PORT: '0', DATA_DIR: data, MEDIA_WORKER: 'off' }
    const { parley, child } = await spawnParley(data, { ...variables, DATABASE_URL: await emptyDatabase('ports') })
    const found = await doctor(variables, parley.url)
    expect(found.code).toBe(1)
    expect(found.out).toContain('ok     HTTP')
    expect(found.out).toContain('ok     SFU: off')
    expect(found.out).toContain('?      STUN and TURN')
    expect(found.error).toStartWith('Not checked: STUN and TURN: with TURN_PORT=0 only the server knows its port')
    expect(found.error).not.toContain('credentials')
    child.kill()
    await child.exited
  },
  SPAWN_MS,
)

test(
  'with DATABASE_URL the doctor reads the secret of the relay there, and says why if it cannot',
  async () => {
    const DATABASE_URL = await emptyDatabase('doctor')
    const TURN_PORT = `${await relayPort()}`
    const variables = { DATABASE_URL, TURN_PORT, TURN_ANNOUNCED_ADDRESS: '127.0.0.1', MEDIA_WORKER: 'off' }
    const data = dataDirectory()
    const { parley, child } = await spawnParley(data, variables)
    const found = await doctor({ ...variables, DATA_DIR: data }, parley.url)
    expect(found).toMatchObject({ code: 0, error: '' })
    expect(found.out).toContain('ok     TURN over UDP')
    const nowhere = 'postgres://parley@127.0.0.1:1/parley'
    const lost = await doctor({ ...variables, DATA_DIR: data, DATABASE_URL: nowhere }, parley.url)
    expect(lost.code).toBe(1)
    expect(lost.error).toContain('the secret cannot be read from DATABASE_URL')
    const empty = await doctor({ ...variables, DATA_DIR: data, DATABASE_URL: await emptyDatabase('none') }, parley.url)
    expect(empty.error).toContain('the secret cannot be read from DATABASE_URL')
    child.kill()
    await child.exited
  },
  SPAWN_MS,
)

test(
  'the doctor says that a self-signed certificate is not trusted, goes on, and sends it no token',
  async () => {
    const data = dataDirectory()
    const directory = mkdtempSync(join(tmpdir(), 'doctor-'))
    const { TURN_TLS_CERT: TLS_CERT, TURN_TLS_KEY: TLS_KEY } = selfSigned(directory, 'localhost')
    const TURN_PORT = `${await relayPort()}`
    const DATABASE_URL = await emptyDatabase('certificate')
    const relay = { TURN_PORT, TURN_ANNOUNCED_ADDRESS: '127.0.0.1', MEDIA_WORKER: 'off' }
    const variables = { TLS_CERT, TLS_KEY, DATABASE_URL, ...relay }
    const { child, parley } = await spawnParley(data, variables)
    const url = parley.url.replace('127.0.0.1', 'localhost')
    const found = await doctor({ ...variables, DATA_DIR: data }, url)
    expect(found.code).toBe(1)
    expect(found.error).toContain(`the certificate at ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`)
    expect(found.error).not.toContain('nothing answers')
    expect(found.out).toContain('ok     TURN over UDP')
    const withToken = await doctor({}, url, 'a-token')
    expect(withToken.error).toContain('the token is not sent to a server whose certificate is not trusted')
    const trusted = await doctor({ ...variables, DATA_DIR: data, NODE_EXTRA_CA_CERTS: TLS_CERT }, url)
    expect(trusted).toMatchObject({ code: 0, error: '' })
    child.kill()
    await child.exited
  },
  SPAWN_MS,
)

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
      const { output, child } = await spawnParley(data, variables)
      target = /docs at (http:\/\/[\d.:]+)/.exec(output)?.[1] ?? ''
      const ask = (more: Record<string, string> = {}) =>
        doctor({ ...variables, TURN_PORT: 'off', DATA_DIR: data, ...more })
      header = {}
      const silent = await ask()
      expect([silent.code, silent.error]).toEqual([
        1,
        `Everybody shares one rate limit: the proxy at ${PUBLIC_URL} sends no X-Forwarded-For.\n`,
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

test(
  'the doctor talks with the SMTP server, which gets no mail, and says when there is none',
  async () => {
    const mailbox = await Mailbox.open()
    const nowhere = `http://127.0.0.1:${await relayPort()}`
    const well = await doctor(mailbox.variables(), nowhere)
    expect(well.out).toContain(`ok     SMTP server ${mailbox.url.replace('smtp://', '')}`)
    expect(mailbox.mails).toEqual([])
    await mailbox.close()
    const away = await doctor(mailbox.variables(), nowhere)
    expect(away).toMatchObject({ code: 1, error: expect.stringContaining('No mail will be sent: the SMTP server') })
  },
  SPAWN_MS,
)

test(
  'the doctor contacts the identity provider, and names its faults',
  async () => {
    const PUBLIC_URL = 'https://chat.example.org'
    const provider = await IdentityProvider.open({ redirect_uris: [`${PUBLIC_URL}/api/auth/oidc/callback`] })
    const nowhere = `http://127.0.0.1:${await relayPort()}`
    const well = await doctor({ PUBLIC_URL, ...provider.variables() }, nowhere)
    expect(well.out).toContain(`ok     identity provider ${provider.issuer}`)
    expect(well.error).not.toContain('identity provider')
    const other = await doctor({ PUBLIC_URL: 'https://other.example.org', ...provider.variables() }, nowhere)
    expect(other).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        'Nobody can log in with the identity provider: the provider does not know the redirect',
      ),
    })
    await provider.close()
  },
  SPAWN_MS,
)
