import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { debianProgram } from '../../support/debian.ts'
import { stop } from '../../support/harness.ts'
import { bootRelay, portOf, selfSigned, TURN_SECRET } from '../../support/turn-client.ts'

// Interoperability: coturn's client and echo peer against our server.
const uclient = debianProgram('turnutils_uclient', 'coturn')
const peer = debianProgram('turnutils_peer', 'coturn')
const CLIENTS = 3
const MESSAGES = 15

/** Options of turnutils_uclient by transport, address family and method. */
const RUNS: [string, string[]][] = [
  ['UDP, channels', ['-X', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, Send and Data', ['-X', '-s', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, Send with DONT-FRAGMENT', ['-X', '-s', '-g', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, 1,200 bytes', ['-X', '-l', '1200', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, pairs of ports', ['-X', '-G', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, from client to client', ['-X', '-y', '127.0.0.1']],
  ['UDP, from client to client by Send and Data', ['-X', '-y', '-s', '127.0.0.1']],
  ['UDP, both families in one allocation, IPv4 peer', ['-Z', '-e', '127.0.0.1', '127.0.0.1']],
  ['UDP, both families in one allocation, IPv6 peer', ['-Z', '-e', '::1', '127.0.0.1']],
  ['UDP over IPv6, channels', ['-x', '-e', '::1', '::1']],
  ['UDP over IPv6, Send and Data', ['-x', '-s', '-e', '::1', '::1']],
  ['UDP over IPv6 to an IPv4 peer', ['-X', '-e', '127.0.0.1', '::1']],
  ['TCP, channels', ['-X', '-t', '-e', '127.0.0.1', '127.0.0.1']],
  ['TCP, Send and Data', ['-X', '-t', '-s', '-e', '127.0.0.1', '127.0.0.1']],
  ['TCP, from client to client', ['-X', '-t', '-y', '127.0.0.1']],
  ['TCP over IPv6, channels', ['-x', '-t', '-e', '::1', '::1']],
  ['TLS, channels', ['-X', '-t', '-S', '-e', '127.0.0.1', '127.0.0.1']],
  ['TLS, Send and Data', ['-X', '-t', '-S', '-s', '-e', '127.0.0.1', '127.0.0.1']],
  ['TLS over IPv6, channels', ['-x', '-t', '-S', '-e', '::1', '::1']],
]

describe.if(uclient !== undefined && peer !== undefined)("coturn's client", () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-coturn-'))
  let relay: Parley
  let echo: Bun.Subprocess
  let echoPort = 0

  beforeAll(async () => {
    relay = await bootRelay({ ...selfSigned(directory, 'localhost'), TURN_QUOTA_ALLOCATIONS: '400' })
    const free = await Bun.udpSocket({ hostname: '127.0.0.1' })
    echoPort = free.port
    free.close()
    const commandLine = [peer as string, '-L', '127.0.0.1', '-L', '::1', '-p', `${echoPort}`]
    echo = Bun.spawn(commandLine, { stdout: 'ignore', stderr: 'ignore' })
  })
  afterAll(async () => {
    echo.kill('SIGKILL')
    await stop(relay)
    rmSync(directory, { recursive: true })
  })

  test.concurrent.each(RUNS)('loses nothing: %s', async (_name, run) => {
    const port = run.includes('-S') ? relay.turn.address()?.tls_port : portOf(relay)
    const numbers = ['-n', `${MESSAGES}`, '-m', `${CLIENTS}`, '-z', '5', '-p', `${port}`, '-r', `${echoPort}`]
    const commandLine = [uclient as string, ...numbers, '-W', TURN_SECRET, '-u', '7', ...run]
    const client = Bun.spawn(commandLine, { stdout: 'pipe', stderr: 'ignore', timeout: 25_000 })
    const output = await new Response(client.stdout).text()
    expect(await client.exited).toBe(0)
    const [, sent, received] = /tot_send_msgs=(\d+), tot_recv_msgs=(\d+)\s*$/m.exec(output) ?? []
    expect(Number(sent)).toBeGreaterThanOrEqual(CLIENTS * MESSAGES)
    expect(received).toBe(sent as string)
    expect(output).toContain('Total lost packets 0 (0.000000%)')
  })

  test('caused no internal error and no packet refused by the kernel', async () => {
    const { drops } = await relay.turn.count()
    expect([drops.fault, drops.system]).toEqual([0, 0])
  })
})
