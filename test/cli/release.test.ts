import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { makeExecutable } from '../../src/cli/release/executable.ts'
import { BareMachine } from '../support/bare-machine.ts'
import { debianProgram } from '../support/debian.ts'
import { call, type Person, newServer, say, standard, until } from '../support/harness.ts'
import { by } from '../support/installation.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { persons, write } from '../support/people.ts'
import { connect } from '../support/socket.ts'
import { SPAWN_MS, type Spawned, spawnParley } from '../support/spawned.ts'
import { openPeer, RelayClient, TURN_SECRET } from '../support/turn-client.ts'
import { download, png, upload } from '../support/uploads.ts'

const PROGRAM = '/parley'
const machine = debianProgram('patchelf', 'patchelf') && BareMachine.open()

describe.if(machine !== undefined)('the executable of a release, without Bun and Node', () => {
  const bare = machine as BareMachine
  let running: Spawned
  let alice: Person
  let bob: Person

  const start = async () =>
    (running = await spawnParley(
      '/data',
      {
        MEDIA_WORKER: 'on',
        SFU_PORT: '0',
        TURN_PORT: '0',
        TURN_ANNOUNCED_ADDRESS: '127.0.0.1',
        TURN_ALLOWED_PEERS: '127.0.0.0/8',
        TURN_SECRET,
      },
      bare.wrapper,
      [PROGRAM],
    ))
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    running.child.kill(signal)
    return running.child.exited
  }
  /** The directory that PostgreSQL was unpacked into. */
  const unpacked = () => {
    const home = bare.path('/data/program')
    const [name = '', ...others] = readdirSync(home)
    expect(others).toEqual([])
    return join(home, name)
  }

  beforeAll(async () => {
    await makeExecutable(bare.path(PROGRAM), await mediaWorker())
    await start()
    ;[alice, bob] = await persons(running.parley, 'alice', 'bob')
  }, WORKER_MS)
  afterAll(() => stop('SIGTERM').then(() => {}), SPAWN_MS)

  test('the executable serves the web client and the documentation, byte for byte as from a clone', async () => {
    const { url } = await standard()
    const text = async (base: string, path: string) => {
      const response = await fetch(base + path)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }
    const page = await text(running.parley.url, '/')
    expect(page).toBe(await text(url, '/'))
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.map((path) => path.split('.').at(-1)).toSorted()).toEqual(['css', 'js', 'js', 'png', 'svg', 'woff2'])
    for (const path of [...assets, '/docs/', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
      expect((await text(running.parley.url, path)) === (await text(url, path))).toBe(true)
    const description = async (base: string) => JSON.parse(await text(base, '/docs/asyncapi.json')).info
    expect(await description(running.parley.url)).toEqual(await description(url))
  })

  test('a message, a file with a thumbnail and a direct message arrive over live sockets', async () => {
    const { channel_id } = await newServer(alice, bob)
    const socket = await connect(bob)
    const sent = await say(alice, channel_id, 'A kingfisher!')
    expect((await socket.next('message.created')).d).toMatchObject({ id: sent.id, content: 'A kingfisher!' })
    const direct = await write(alice, bob, 'Just between us')
    const whispered = await socket.next('message.created', ({ d }) => d.id === direct.id)
    expect(whispered.d.content).toBe('Just between us')
    const picture = await png(640, 480)
    const file = await upload(alice, 'kingfisher.png', 'image/png', picture)
    const got = await download(alice, file.id)
    expect(Buffer.from(await got.arrayBuffer()).equals(picture)).toBe(true)
    expect((await download(alice, file.id, '?variant=thumbnail')).status).toBe(200)
    socket.close()
  })

  test('the relay allocates and relays, and the SFU’s worker runs', async () => {
    const { ice_servers } = (await alice.get('/api/voice/ice-servers')).body
    const [, port = ''] = /^turn:[\d.]+:(\d+)\?transport=udp/m.exec(ice_servers[1].urls.join('\n')) ?? []
    const peer = await openPeer()
    const client = await RelayClient.open(Number(port))
    await client.allocate(alice.id)
    expect(await client.permit(peer.address)).toBe(0)
    client.indicate(peer.address, 'through the relay')
    await until(() => peer.got.some(({ data }) => data === 'through the relay'))
    client.close()
    peer.socket.close()
    await until(async () => (await call(running.parley, 'GET', '/readyz')).body.parts.sfu === 'ready', 60_000)
  })

  test(
    'the executable has the operator’s commands, including backup',
    () => {
      const env = (command: string) => ['-c', `DATA_DIR=/data exec ${PROGRAM} ${command}`]
      const listed = bare.run('/bin/sh', ...env('admin list --json'))
      expect([listed.exitCode, listed.stderr.toString()]).toEqual([0, ''])
      expect(listed.stdout.toString()).toContain(alice.email)
      const helped = bare.run('/bin/sh', ...env('admin help'))
      expect(helped.stdout.toString()).toStartWith('parley admin <command>\n')
      expect(bare.run(PROGRAM, 'docs', 'install').stdout.toString()).toStartWith('# Installing\n')
      const backup = bare.run('/bin/sh', ...env('backup /data/of-today.parley'))
      expect([backup.exitCode, backup.exitCode === 0 ? '' : backup.stderr.toString()]).toEqual([0, ''])
      const unknown = bare.run(PROGRAM, 'no-such-command')
      expect([unknown.exitCode, unknown.stderr.toString()]).toEqual([1, expect.stringMatching(/^[^\n]*admin[^\n]*\n$/)])
    },
    SPAWN_MS,
  )

  test(
    'after kill -9 the executable starts again with everything acknowledged, and repairs its unpacked files',
    async () => {
      const { channel_id } = await newServer(alice)
      const { id } = await say(alice, channel_id, 'Before the crash')
      await stop('SIGKILL')
      const file = join(unpacked(), 'share/postgresql/postgres.bki')
      const { size } = statSync(file)
      truncateSync(file, size - 1)
      await start()
      expect(statSync(join(unpacked(), 'share/postgresql/postgres.bki')).size).toBe(size)
      const again = by(running.parley, alice)
      const { body } = await again.get(`/api/channels/${channel_id}/messages`)
      expect(body.map((message: { id: number }) => message.id)).toEqual([id])
      await say(again, channel_id, 'After the crash')
    },
    SPAWN_MS,
  )
})
