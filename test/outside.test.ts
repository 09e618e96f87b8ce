import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './support/harness.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from './support/spawned.ts'
import { EVERYWHERE, GATEWAY, WatchedNetwork } from './support/watched-network.ts'

const root = join(import.meta.dir, '..')

/** Tests that use most of the server: they run in the watched network. */
const FILES = [
  'features/servers/servers',
  'features/messages/messages',
  'features/previews/off',
  'features/files/files',
  'features/friends/friends',
  'features/dms/dms',
  'gateway/commands',
  'voice/voice',
  'voice/signalling/moderation',
  'turn/server/server',
].map((name) => `./test/${name}.test.ts`)

/** The hosts that a server contacts on its own, by docs/install.md. */
const listed = (): string[] => {
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8')
  const [, section = ''] = /^## Outgoing connections$(.*?)^## /ms.exec(page) ?? []
  return [...section.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, host = '']) => host)
}

/** Registers at a server, and posts links: to a name with a documentation address, and to that address. */
const LINKING = `
const call = async (method, path, token, body) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: 'Bearer ' + token } : {}) }
  const answer = await fetch(process.argv[1] + path, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(path + ' ' + (await answer.text()))
  return answer.json()
}
const account = { username: 'alice', email: 'alice@example.org', password: 'Correct-Horse-7!Battery' }
const { token } = await call('POST', '/api/auth/register', undefined, account)
const server = await call('POST', '/api/servers', token, { name: 'Birds' })
const [channel] = await call('GET', '/api/servers/' + server.id + '/channels', token)
const content =
  'http://203.0.113.77/ http://[2001:db8::77]/ https://birds.example/ http://10.0.0.1/ http://cats.example:81/'
await call('POST', '/api/channels/' + channel.id + '/messages', token, { content })`

const network = await WatchedNetwork.open()

describe.if(network !== undefined)('packets that leave the machine of a server', () => {
  const watched = network as WatchedNetwork
  afterAll(() => watched?.close())

  test(
    'nothing, while people use all of it, with MEDIA_WORKER=off, LINK_PREVIEWS=off and no STUN_SERVER',
    async () => {
      const { child } = await spawnParley(dataDirectory(), { TURN_PORT: '3478', HOST: '0.0.0.0' }, watched.wrapper)
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      const run = Bun.spawnSync([...watched.wrapper, process.execPath, 'test', '--timeout=60000', ...FILES], {
        cwd: root,
        env: process.env,
      })
      expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr.toString()]).toEqual([0, ''])
      expect(watched.departed()).toEqual({ packets: 0, destinations: [] })
      expect(watched.names()).toEqual([])
    },
    4 * SPAWN_MS,
  )

  test(
    'with the defaults, only questions to the hosts that docs/install.md lists',
    async () => {
      const variables = {
        MEDIA_WORKER: 'on',
        LINK_PREVIEWS: 'on',
        TURN_PORT: '3478',
        LOG_LEVEL: 'info',
        HOST: '0.0.0.0',
      }
      const { child } = await spawnParley(dataDirectory(), variables, watched.wrapper)
      await until(() => watched.names().length > 0 && watched.departed().destinations.length > 1, SPAWN_MS / 2)
      child.kill('SIGTERM')
      await child.exited
      expect(watched.names()).toEqual(listed())
      expect(watched.departed().destinations).toEqual([`${GATEWAY} udp 53`, `${EVERYWHERE} tcp 443`])
    },
    SPAWN_MS,
  )

  test(
    'with the defaults, the name of a link is resolved, and a private address gets no packet',
    async () => {
      const before = new Set(watched.departed().destinations)
      const { child, parley } = await spawnParley(
        dataDirectory(),
        { LINK_PREVIEWS: 'on', LOG_LEVEL: 'info', HOST: '0.0.0.0' },
        watched.wrapper,
      )
      expect(Bun.spawnSync([...watched.wrapper, process.execPath, '-e', LINKING, parley.url]).stderr.toString()).toBe(
        '',
      )
      await until(() => watched.names().includes('birds.example'), SPAWN_MS / 2)
      await Bun.sleep(2_000)
      child.kill('SIGTERM')
      await child.exited
      expect(watched.names().filter((name) => name.endsWith('.example'))).toEqual(['birds.example'])
      const added = watched.departed().destinations.filter((destination) => !before.has(destination))
      expect(added.filter((destination) => !destination.endsWith(' udp 53'))).toEqual([])
    },
    SPAWN_MS,
  )

  test('one packet to anywhere is counted, with its destination', () => {
    const before = watched.departed().packets
    const say = ['bash', '-c', 'echo hello >/dev/udp/203.0.113.9/4242; echo hello >/dev/udp/2001:db8:1::9/4242']
    expect(Bun.spawnSync([...watched.wrapper, ...say]).exitCode).toBe(0)
    const { packets, destinations } = watched.departed()
    expect(packets).toBe(before + 2)
    expect(destinations).toContain('203.0.113.9 udp 4242')
    expect(destinations).toContain('2001:db8:1::9 udp 4242')
  })
})
