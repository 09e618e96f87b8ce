import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { credentialsFor, iceServers } from '../../src/turn/credentials.ts'
import { resolveAnnounced } from '../../src/core/own-addresses.ts'
import { Attribute, Method } from '../../src/turn/protocol/stun.ts'
import { boot, call, inCommon, PASSWORD, person, standard, stop, until } from '../support/harness.ts'
import {
  bootRelay,
  credentials,
  errorOf,
  portOf,
  RelayClient,
  relayPort,
  selfSigned,
  TURN_SECRET,
  udp,
} from '../support/turn-client.ts'

// TURN as a part of Parley: its start, its state, and who gets credentials.
const relay = await bootRelay()
const port = portOf(relay)
const directory = mkdtempSync(join(tmpdir(), 'parley-turn-'))
afterAll(async () => {
  await stop(relay)
  rmSync(directory, { recursive: true })
})

test('a signed-in user gets STUN and TURN servers with credentials that are valid for 12 hours', async () => {
  const alice = await person(relay, 'alice')
  const { status, body } = await alice.get('/api/voice/ice-servers')
  expect(status).toBe(200)
  const [stun, turn] = body.ice_servers
  expect(stun).toEqual({ urls: [`stun:127.0.0.1:${port}`] })
  expect(turn.urls).toEqual([`turn:127.0.0.1:${port}?transport=udp`, `turn:127.0.0.1:${port}?transport=tcp`])
  expect(turn.username).toEndWith(`:${alice.id}`)
  const expiresMs = Date.parse(body.expires_at)
  expect(Math.abs(expiresMs - Date.now() - 12 * 3600_000)).toBeLessThan(5000)
  expect(turn.username).toStartWith(`${expiresMs / 1000}:`)
  const client = await RelayClient.open(port)
  await client.enter({ username: turn.username, password: turn.credential })
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(0)
  await client.refresh(0)
  client.close()
  expect((await call(relay, 'GET', '/api/voice/ice-servers')).status).toBe(401)
})

test('with TURN off the list of servers is empty and the server is ready', async () => {
  const parley = await standard()
  const bob = await person(parley, 'bob')
  expect((await bob.get('/api/voice/ice-servers')).body.ice_servers).toEqual([])
  expect((await call(parley, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', parts: { turn: 'off' } })
})

test('the URLs contain the announced host, else the host by which the client reached the server', () => {
  const urls = (host: string | undefined, base: string) => {
    const address = { secret: TURN_SECRET, port: 3478, tls_port: 5349, host }
    return iceServers({ address: () => address }, 7, base, 1_700_000_000).flatMap((server) => server.urls)
  }
  expect(urls(undefined, 'https://chat.example.org:8443')).toEqual([
    'stun:chat.example.org:3478',
    'turn:chat.example.org:3478?transport=udp',
    'turn:chat.example.org:3478?transport=tcp',
    'turns:chat.example.org:5349?transport=tcp',
  ])
  expect(urls(undefined, 'http://[2001:db8::1]:3000')[0]).toBe('stun:[2001:db8::1]:3478')
  expect(urls('2001:db8::2', 'http://localhost')[0]).toBe('stun:[2001:db8:0:0:0:0:0:2]:3478')
  expect(urls('turn.example.org', 'http://localhost')[0]).toBe('stun:turn.example.org:3478')
  // draft-uberti-behave-turn-rest-00 §2.2: the password is an HMAC-SHA1 of the username.
  const { credential } = credentialsFor('secret', 1, 1_433_895_918 - 12 * 3600)
  expect(credential).toBe(new Bun.CryptoHasher('sha1', 'secret').update('1433895918:1').digest('base64'))
})

test('an announced name keeps its last address while DNS fails, so that this address stays denied', async () => {
  const resolvedAddresses = new Map<string, Uint8Array[]>()
  expect(await resolveAnnounced(['localhost', '192.0.2.7', 'relay.invalid'], resolvedAddresses)).toContainEqual(
    new Uint8Array([127, 0, 0, 1]),
  )
  const ours = new Uint8Array([192, 0, 2, 8])
  resolvedAddresses.set('relay.invalid', [ours])
  expect(await resolveAnnounced(['relay.invalid'], resolvedAddresses)).toEqual([ours])
})

test('when the TURN port is taken, the server runs without TURN and /readyz shows why', async () => {
  const other = await boot({ TURN_PORT: String(port) })
  expect(other.turn.state()).toBe(`port ${port} is taken`)
  expect((await call(other, 'GET', '/readyz')).body).toMatchObject({
    status: 'ok',
    parts: { turn: `port ${port} is taken` },
  })
  expect((await (await person(other, 'carol')).get('/api/voice/ice-servers')).body.ice_servers).toEqual([])
  await stop(other)
})

test('a user without a session loses allocations and cannot allocate with earlier credentials', async () => {
  const alice = await person(relay, 'alice')
  const second = await call(relay, 'POST', '/api/auth/login', {
    body: { email: alice.email, password: PASSWORD },
  })
  const issued = (await alice.get('/api/voice/ice-servers')).body.ice_servers[1]
  const client = await RelayClient.open(port)
  await client.enter({ username: issued.username, password: issued.credential })
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(0)
  await alice.post('/api/auth/logout')
  // Another device is still signed in.
  expect((await client.refresh()).code).toBe(0)
  await call(relay, 'POST', '/api/auth/logout-all', { token: second.body.token })
  // The relay's thread learns of it a little later than the answer.
  await until(async () => (await client.refresh()).code === 437)
  await client.enter({ username: issued.username, password: issued.credential })
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(401)
  // Credentials are dated in seconds: later ones are issued in another second.
  await Bun.sleep(1100)
  const again = await call(relay, 'POST', '/api/auth/login', {
    body: { email: alice.email, password: PASSWORD },
  })
  const later = (await call(relay, 'GET', '/api/voice/ice-servers', { token: again.body.token })).body.ice_servers[1]
  await client.enter({ username: later.username, password: later.credential })
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(0)
  await client.refresh(0)
  client.close()
})

const writeCertificate = (name: string) => selfSigned(directory, name)

const certificateName = (tlsPort: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: tlsPort, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.end()
    })
    socket.on('error', reject)
  })

test('TLS connections without a handshake count towards the hundred connections of one address', async () => {
  const paths = writeCertificate('slow.example.org')
  const secure = await bootRelay(paths)
  const address = { host: '127.0.0.1', port: secure.turn.address()?.tls_port ?? 0 }
  const silent = Array.from({ length: 110 }, () => connect(address).on('error', () => {}))
  await until(() => silent.filter(({ closed }) => closed).length === 10)
  expect((await secure.turn.count()).drops.limited).toBe(10)
  for (const socket of silent) socket.destroy()
  await until(() =>
    certificateName(address.port).then(
      (name) => name === 'slow.example.org',
      () => false,
    ),
  )
  await stop(secure)
})

test('a crashed thread is replaced within seconds on the same ports, and /readyz shows the crash', async () => {
  const same = await relayPort()
  const frail = await bootRelay({ TURN_PORT: String(same), TURN_RELAY_PORTS: '22100-22103' })
  const state = async () => (await call(frail, 'GET', '/readyz')).body.parts.turn
  const client = await RelayClient.open(same)
  await client.enter(credentials(1))
  const pair = (writer: Parameters<typeof udp>[0]) => udp(writer).add(Attribute.evenPort, new Uint8Array([0x80]))
  expect(errorOf(await client.request(Method.allocate, pair))).toBe(0)
  // Invalid commands: the thread crashes twice before it is terminated.
  frail.turn.allowSfu(null as never)
  frail.turn.allowSfu(null as never)
  frail.turn.allowSfu([])
  await until(async () => (await state()) === 'the thread of the relay broke')
  await until(async () => (await state()) === 'ok')
  expect(frail.turn.address()?.port).toBe(same)
  await Bun.sleep(1500)
  expect(await state()).toBe('ok')
  // Every relay port can be allocated again.
  for (let nth = 0; nth < 4; nth++) {
    const next = await RelayClient.open(same)
    await next.allocate(1)
    next.close()
  }
  client.close()
  await stop(frail)
})

test('ended credentials cannot allocate after a restart of the thread or of the server; others still can', async () => {
  const same = await relayPort()
  const frail = await bootRelay({ TURN_PORT: String(same) })
  const [alice, bob] = [await person(frail, 'alice'), await person(frail, 'bob')]
  // Credentials are dated in seconds.
  await Bun.sleep(1100)
  const issued = async (token: string) => {
    const { username, credential } = (await call(frail, 'GET', '/api/voice/ice-servers', { token })).body.ice_servers[1]
    return { username, password: credential }
  }
  const [ended, living] = [await issued(alice.token), await issued(bob.token)]
  await alice.post('/api/auth/logout-all')
  // Alice has a session again: only earlier credentials are refused.
  await Bun.sleep(1100)
  const body = { email: alice.email, password: PASSWORD }
  const again = await call(frail, 'POST', '/api/auth/login', { body })
  await Bun.sleep(1100)
  const later = await issued(again.body.token)
  const codes = async (at: number) => {
    const found: number[] = []
    for (const credentials of [ended, living, later]) {
      const client = await RelayClient.open(at)
      await client.enter(credentials)
      found.push(errorOf(await client.request(Method.allocate, udp)))
      if (found.at(-1) === 0) await client.refresh(0)
      client.close()
    }
    return found
  }
  expect(await codes(same)).toEqual([401, 0, 0])
  const state = async () => (await call(frail, 'GET', '/readyz')).body.parts.turn
  frail.turn.allowSfu(null as never)
  await until(async () => (await state()) === 'the thread of the relay broke')
  frail.turn.allowSfu([])
  await until(async () => (await state()) === 'ok')
  expect(await codes(same)).toEqual([401, 0, 0])
  const beside = await bootRelay(inCommon(frail))
  expect(await codes(portOf(beside))).toEqual([401, 0, 0])
  await stop(beside)
  await stop(frail)
})

test('a user whose sessions end while TURN starts cannot allocate', async () => {
  const issued = credentials(7)
  const thread = new Worker(new URL('../../src/turn/worker.ts', import.meta.url))
  const ready = new Promise<number>((resolve) =>
    thread.on('message', (report) => report.kind === 'ready' && resolve(report.port)),
  )
  const config = { port: 0, tls_port: 0, relay_ports: [22110, 22119], announced: ['localhost'], allowed_peers: [] }
  const limits = { allocations: 4, bytes_per_s: 1_000_000 }
  thread.postMessage({ kind: 'start', config: { ...config, secret: TURN_SECRET, limits } })
  // The server is still resolving a name when this command arrives.
  thread.postMessage({ kind: 'revoke', user_id: 7 })
  const client = await RelayClient.open(await ready)
  await client.enter(issued)
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(401)
  await client.allocate(8)
  client.close()
  const stopped = new Promise((resolve) => thread.on('message', ({ kind }) => kind === 'stopped' && resolve(kind)))
  thread.postMessage({ kind: 'stop' })
  expect(await stopped).toBe('stopped')
  await thread.terminate()
})

test('TLS uses a new certificate when its files change, and keeps the old one while it is invalid', async () => {
  const paths = writeCertificate('one.example.org')
  const secure = await bootRelay(paths)
  const tlsPort = secure.turn.address()?.tls_port ?? 0
  const dana = await person(secure, 'dana')
  const { urls } = (await dana.get('/api/voice/ice-servers')).body.ice_servers[1]
  expect(urls).toContain(`turns:127.0.0.1:${tlsPort}?transport=tcp`)
  expect(await certificateName(tlsPort)).toBe('one.example.org')
  await Bun.write(paths.TURN_TLS_CERT, 'not a certificate')
  await Bun.sleep(2500)
  expect(await certificateName(tlsPort)).toBe('one.example.org')
  writeCertificate('two.example.org')
  await until(async () => (await certificateName(tlsPort)) === 'two.example.org')
  await stop(secure)
  await Bun.write(paths.TURN_TLS_KEY, 'not a key')
  const refused = await bootRelay(paths).catch((error: Error) => error.message)
  expect(refused).toMatch(/^TURN_TLS_CERT with TURN_TLS_KEY is not usable: /)
})
