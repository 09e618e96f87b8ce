import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/adapters/database.ts'
import { type Answer, call, type Person, person, room, until } from './harness.ts'
import { connect, type Gateway } from './socket.ts'
import { dataDirectory, postmasterOf, spawnParley } from './spawned.ts'

const data = dataDirectory()
const { parley, child } = await spawnParley(data)

/** Asks until it is answered for good; whatever is refused on the way says that the database is away. */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    expectAway(answer)
    await Bun.sleep(50)
  }
}

/** Sends until it is known to be there: the id of the message. */
async function send(who: Person, channel_id: number, nonce: string): Promise<number> {
  const sent = await insist(() => who.post(`/api/channels/${channel_id}/messages`, { content: nonce, nonce }))
  expect(sent.status).toBeOneOf([200, 201])
  return sent.body.id
}

function expectAway({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

const isReady = async () => (await call(parley, 'GET', '/readyz')).status === 200

/** Every message is there exactly once, and the socket, which stayed open, has seen each. */
async function expectAllThere(who: Person, channel_id: number, live: Gateway, ids: number[]): Promise<void> {
  const { body } = await insist(() => who.get(`/api/channels/${channel_id}/messages?limit=100`))
  expect(body.map((message: { id: number }) => message.id).toSorted((a: number, b: number) => a - b)).toEqual(
    ids.toSorted((a, b) => a - b),
  )
  for (const id of ids) await live.next('message.created', (frame) => frame.d.id === id, 10_000)
  await live.settled()
  expect(child.exitCode).toBeNull()
}

/** Ends every connection that the server has. */
async function terminateAll(): Promise<void> {
  const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`
  await sql.end()
}

/** PostgreSQL's processes: the postmaster and all that it has started. */
function postgresProcesses(): number[] {
  const postmaster = postmasterOf(data) as number
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)]
}

test('connections that are cut again and again lose nothing, and open sockets see everything', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await room(alice, bob)
  const live = await connect(bob)
  const sending = Array.from({ length: 60 }, async (_, n) => {
    await Bun.sleep(n * 15)
    return send(n % 2 ? alice : bob, channel_id, `nonce-${n}`)
  })
  const edits = Array.from({ length: 20 }, async (_, n) => {
    await Bun.sleep(n * 45)
    const answer = await alice.put('/api/auth/display-name', { display_name: `Alice ${n}` })
    if (answer.status !== 200) expectAway(answer)
  })
  for (let n = 0; n < 6; n++) {
    await Bun.sleep(150)
    await terminateAll()
  }
  await Promise.all(edits)
  await expectAllThere(alice, channel_id, live, await Promise.all(sending))
  expect(await isReady()).toBe(true)
  live.close()
})

test('a PostgreSQL that is killed is started again; until then requests say so, and nothing is lost', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await room(alice, bob)
  const live = await connect(bob)
  const sending = Array.from({ length: 40 }, async (_, n) => {
    await Bun.sleep(n * 10)
    return send(alice, channel_id, `nonce-${n}`)
  })
  await Bun.sleep(100)
  process.kill(postmasterOf(data) as number, 'SIGKILL')
  await until(async () => !(await isReady()))
  expectAway(await alice.get('/api/auth/sessions'))
  await until(isReady, 20_000)
  await expectAllThere(alice, channel_id, live, await Promise.all(sending))
  live.close()
})

test('a PostgreSQL that stands still is answered for in bounded time, and what it did late is told', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await room(alice, bob)
  const live = await connect(bob)
  const processes = postgresProcesses()
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  try {
    const asked = performance.now()
    const [sent, ready] = await Promise.all([
      alice.post(`/api/channels/${channel_id}/messages`, { content: 'late', nonce: 'late' }),
      isReady(),
    ])
    expect(ready).toBe(false)
    expectAway(sent)
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect((await call(parley, 'GET', '/healthz')).status).toBe(200)
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT')
  }
  await until(isReady, 10_000)
  const id = await send(alice, channel_id, 'late')
  await expectAllThere(alice, channel_id, live, [id])
  live.close()
}, 60_000)

test('a kick whose answer was lost is acted on all the same', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  for (let round = 0; round < 12; round++) {
    const { server_id, channel_id } = await room(alice, bob)
    const live = await connect(bob)
    const cutting = Bun.sleep(round % 6).then(terminateAll)
    await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
    await cutting
    const members = await insist(() => alice.get(`/api/servers/${server_id}/members`))
    if (members.body.length === 1) {
      await live.next('server.deleted', (frame) => frame.d.id === server_id)
      await send(alice, channel_id, 'without bob')
      await live.settled()
      expect(live.of('message.created')).toEqual([])
    }
    live.close()
    expect((await insist(() => alice.delete(`/api/servers/${server_id}`))).status).toBe(204)
  }
}, 60_000)
