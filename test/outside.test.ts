import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './support/harness.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from './support/spawned.ts'
import { EVERYWHERE, GATEWAY, WatchedNetwork } from './support/watched-network.ts'

const root = join(import.meta.dir, '..')

/** Tests that use most of the server: they run in the network. */
const FILES = [
  'features/servers/servers',
  'features/messages/messages',
  'features/files/files',
  'features/friends/friends',
  'features/dms/dms',
  'gateway/commands',
  'voice/voice',
  'voice/signalling/moderation',
  'turn/server/server',
].map((name) => `./test/${name}.test.ts`)

/** The hosts that the README says a server asks by itself. */
const listed = (): string[] => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, section = ''] = /^## What it asks of others$(.*?)^## /ms.exec(readme) ?? []
  return [...section.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, host = '']) => host)
}

const network = await WatchedNetwork.open()

describe.if(network !== undefined)('what leaves the machine of a server', () => {
  const watched = network as WatchedNetwork
  afterAll(() => watched?.close())

  test(
    'nothing, while the server starts and people use all of it, with MEDIA_WORKER=off and without a STUN_SERVER',
    async () => {
      const { child } = await spawnParley(dataDirectory(), { TURN_PORT: '3478', HOST: '0.0.0.0' }, watched.wrapper)
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      const run = Bun.spawnSync([...watched.wrapper, process.execPath, 'test', '--timeout=60000', ...FILES], {
        cwd: root,
        env: process.env,
      })
      expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr.toString()]).toEqual([0, ''])
      expect(watched.left()).toEqual({ packets: 0, destinations: [] })
      expect(watched.names()).toEqual([])
    },
    4 * SPAWN_MS,
  )

  test(
    'with the defaults, only questions to the hosts that the README lists',
    async () => {
      const variables = { MEDIA_WORKER: 'on', TURN_PORT: '3478', LOG_LEVEL: 'info', HOST: '0.0.0.0' }
      const { child } = await spawnParley(dataDirectory(), variables, watched.wrapper)
      await until(() => watched.names().length > 0 && watched.left().destinations.length > 1, SPAWN_MS / 2)
      child.kill('SIGTERM')
      await child.exited
      expect(watched.names()).toEqual(listed())
      expect(watched.left().destinations).toEqual([`${GATEWAY} udp 53`, `${EVERYWHERE} tcp 443`])
    },
    SPAWN_MS,
  )

  test('one packet to anywhere is counted, with its destination', () => {
    const before = watched.left().packets
    const say = ['bash', '-c', 'echo hello >/dev/udp/203.0.113.9/4242; echo hello >/dev/udp/2001:db8:1::9/4242']
    expect(Bun.spawnSync([...watched.wrapper, ...say]).exitCode).toBe(0)
    const { packets, destinations } = watched.left()
    expect(packets).toBe(before + 2)
    expect(destinations).toContain('203.0.113.9 udp 4242')
    expect(destinations).toContain('2001:db8:1::9 udp 4242')
  })
})
