import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeTurn } from '../../src/turn/probe.ts'
import { Class, decode, Method, transactionOf } from '../../src/turn/protocol/stun.ts'
import { StunWriter } from '../../src/turn/protocol/stun-writer.ts'
import { stop } from '../support/harness.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { bootRelay, credentials, selfSigned } from '../support/turn-client.ts'
import { until } from '../support/until.ts'

/** A TCP server on loopback: its port, and the connections that it took. */
async function listen(onData: (socket: Socket, data: Buffer) => void) {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => onData(socket, Buffer.from(data)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { taken: sockets, port: address.port, close: () => server.close() }
}

/** Counts the connections that it has, and says so when they change. */
const COUNTER = `let open = 0
const say = (change) => console.log((open += change))
const server = require('node:net').createServer((socket) => {
  say(1)
  socket.on('error', () => {}).on('close', () => say(-1)).resume()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Connects to a stopped process until its backlog is full: the sockets that are open, and one that waits. */
async function fillBacklog(port: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let isOpening = true; isOpening && sockets.length < 5000;) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket.on('error', () => undefined))
    isOpening = false
    socket.once('connect', () => (isOpening = true))
    // While this process does not run, it hears of no connection.
    const passed = stopwatch()
    await until(() => isOpening || passed() > 300)
  }
  return sockets
}

test('a connection that opens after the probe gave up is closed', async () => {
  const child = Bun.spawn([process.execPath, '-e', COUNTER], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => child.kill('SIGKILL'))
  let output = ''
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) output += chunk
  })()
  const lines = () => output.trim().split('\n').map(Number)
  await until(() => output.includes('\n'))
  const [port = 0] = lines()
  child.kill('SIGSTOP')
  const sockets = await fillBacklog(port)
  const waiting = sockets.pop()
  waiting?.destroy()
  // Its SYN is repeated after 1 s and 3 s; the probe gives up after 2.5 s.
  expect(await probeTurn({ transport: 'tcp', host: '127.0.0.1', port }, undefined)).toBe('closed')
  child.kill('SIGCONT')
  await until(() => Math.max(...lines().slice(1)) > sockets.length)
  await until(() => lines().at(-1) === sockets.length)
  for (const socket of sockets) socket.destroy()
  child.kill()
  await reading
})

test('a TLS session that does not open in time is closed', async () => {
  const mute = await listen(() => undefined)
  const endpoint = { transport: 'tls', host: '127.0.0.1', port: mute.port } as const
  expect(await probeTurn(endpoint, undefined)).toBe('closed')
  await until(() => mute.taken.length === 1 && mute.taken.every(({ destroyed }) => destroyed))
  mute.close()
})

test('the probe reads every message of a chunk that TCP delivers at once', async () => {
  const message = (kind: number, transaction: Uint8Array) =>
    new StunWriter(new ArrayBuffer(1000)).begin(Method.binding, kind, transaction).finish()
  const server = await listen((socket, data) => {
    const request = decode(new Uint8Array(data))
    if (!request) return
    // An unsolicited indication precedes the response in one segment.
    const other = message(Class.indication, new Uint8Array(12))
    socket.write(Buffer.concat([other, message(Class.success, transactionOf(request))]))
  })
  expect(await probeTurn({ transport: 'tcp', host: '127.0.0.1', port: server.port }, undefined)).toBeUndefined()
  server.close()
})

test('the probe says that a self-signed certificate is not trusted, not that the port is closed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'probe-'))
  const relay = await bootRelay(selfSigned(directory, 'turn.example.org'))
  const port = relay.turn.address()?.tls_port ?? 0
  const { username, password: credential } = credentials(1)
  const fault = await probeTurn({ transport: 'tls', host: '127.0.0.1', port }, { username, credential })
  expect(fault).toBe('its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
  await stop(relay)
})
