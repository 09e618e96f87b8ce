import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianProgram } from '../support/debian.ts'
import { Sending, Watching } from '../support/failover.ts'
import { boot, inCommon, newServer, Person, person, stop, until } from '../support/harness.ts'
import { LoggedProcess } from '../support/logged-process.ts'
import { freePort } from '../support/ports.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { SPAWN_MS } from '../support/spawned.ts'

const program = debianProgram('haproxy', 'haproxy')
const PORTS = [3001, 3002, 3003]
const SENT_EACH = 10

/** Runs HAProxy on deploy/haproxy.cfg, without TLS. */
async function haproxy(ports: number[]) {
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const [port, control] = [freePort(), join(directory, 'control')]
  const changes: [string, string][] = [
    ['global\n', `global\n  stats socket ${control} level user\n`],
    ['  bind :80\n', ''],
    ['  bind [::]:80 v6only\n', ''],
    ['  bind :443 ssl crt /etc/haproxy/chat.example.org.pem alpn http/1.1\n', `  bind 127.0.0.1:${port}\n`],
    ['  bind [::]:443 v6only ssl crt /etc/haproxy/chat.example.org.pem alpn http/1.1\n', ''],
    ['  http-request redirect scheme https code 301 unless { ssl_fc }\n', ''],
    ['maxconn 200000', 'maxconn 1000'],
    ...PORTS.map((from, at): [string, string] => [`127.0.0.1:${from}\n`, `127.0.0.1:${ports[at]}\n`]),
  ]
  const text = changes.reduce(
    (current, [from, to]) => {
      expect(current).toContain(from)
      return current.replace(from, to)
    },
    readFileSync(join(import.meta.dir, '../../deploy/haproxy.cfg'), 'utf8'),
  )
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, text)
  const child = Bun.spawn([program as string, '-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] })
  onTestFinished(() => child.kill('SIGKILL'))
  /** The number of servers that HAProxy uses. */
  const used = () =>
    new Promise<number>((resolve) => {
      let answer = ''
      const socket = connect(control, () => socket.write('show stat\n'))
      socket.on('data', (chunk) => (answer += chunk))
      socket.on('error', () => resolve(0))
      socket.on('close', () => resolve(answer.match(/^parley,parley\d,.*,UP,/gm)?.length ?? 0))
    })
  await until(async () => (await used()) === ports.length)
  return { url: `http://127.0.0.1:${port}`, used }
}

test.skipIf(!program || !redisProgram)(
  'three processes behind HAProxy are replaced one by one: no request is refused, and every client sees every message',
  async () => {
    const redis = await redisServer()
    // Knows the accounts; no client uses it.
    const other = await boot({ REDIS_URL: redis.url })
    const ports = PORTS.map(freePort)
    const start = (port: number) => LoggedProcess.start({ ...inCommon(other), PORT: `${port}` })
    const processes = await Promise.all(ports.map(start))
    const balancer = await haproxy(ports)
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(other, name)))
    const clients = people.map(
      ({ id, username, email, display_name, token }) =>
        new Person({ url: balancer.url, routes: other.routes } as never, id, username, email, display_name, token),
    )
    const [alice, ...others] = clients as [Person, ...Person[]]
    const { channel_id } = await newServer(alice, ...others)
    const watchings = await Promise.all(clients.flatMap((who) => Array.from({ length: 4 }, () => Watching.open(who))))
    // A process that stops cuts a connection that it has accepted, and whose request it has not read yet.
    const sendings = clients.map((who) => new Sending(who, channel_id, 2))
    const sendMore = async () => {
      const before = sendings.map(({ acknowledged }) => acknowledged.length)
      await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length >= (before[at] ?? 0) + SENT_EACH))
    }
    for (const [at, port] of ports.entries()) {
      await sendMore()
      processes[at]?.signal('SIGTERM')
      expect(await processes[at]?.exitCode()).toBe(0)
      expect(processes[at]?.log).toContain('"drain.ended","alone":false')
      await sendMore()
      processes[at] = await start(port)
      await until(async () => (await balancer.used()) === ports.length)
    }
    await sendMore()
    await Promise.all(sendings.map((sending) => sending.end()))
    expect(sendings.flatMap(({ refusals }) => refusals)).toEqual([])
    const contents = sendings.flatMap(({ acknowledged }) => acknowledged.map(({ content }) => content))
    await until(() => watchings.every((watching) => contents.every((content) => watching.contents().has(content))))
    expect(watchings.flatMap(({ faults }) => faults)).toEqual([])
    expect(new Set(watchings.flatMap(({ codes }) => codes))).toEqual(new Set([1012]))
    expect(new Set(watchings.flatMap(({ reopened }) => reopened))).toEqual(new Set(['resumed']))
    await Promise.all(watchings.map((watching) => watching.end()))
    await stop(other)
  },
  2 * SPAWN_MS,
)
