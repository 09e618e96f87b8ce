import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDatabaseAway, openDatabase, SUPERUSER, type Transaction } from '../../src/database/database.ts'
import type { Notify } from '../../src/events/write.ts'
import { leave } from '../../src/features/members/membership.ts'
import type { Parley } from '../../src/parley.ts'
import {
  type Answer,
  boot,
  call,
  type Person,
  person,
  newServer,
  say,
  standard,
  stop,
  until,
} from '../support/harness.ts'
import { connect, type Gateway } from '../support/socket.ts'
import { dataDirectory, postmasterOf, spawnParley, SPAWN_MS } from '../support/spawned.ts'

const data = dataDirectory()
const { parley, child } = await spawnParley(data)
afterAll(() => child.kill('SIGKILL'))

/** Repeats a request while it is answered 503; every 503 must say that the database is away. */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    expectAway(answer)
    await Bun.sleep(50)
  }
}

/** Sends a message until it is acknowledged. Returns its id. */
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

/** Every message is stored once, and the socket, which stayed open, has received each. */
async function expectAllThere(who: Person, channel_id: number, live: Gateway, ids: number[]): Promise<void> {
  const { body } = await insist(() => who.get(`/api/channels/${channel_id}/messages?limit=100`))
  expect(body.map((message: { id: number }) => message.id).toSorted((a: number, b: number) => a - b)).toEqual(
    ids.toSorted((a, b) => a - b),
  )
  for (const id of ids) await live.next('message.created', (frame) => frame.d.id === id, 10_000)
  await live.settled()
  expect(child.exitCode).toBeNull()
}

/** Ends every database connection of the server. */
async function terminateAll(): Promise<void> {
  const sql = openDatabase({ socket: join(data, 'postgres/run'), role: SUPERUSER }, 1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`
  await sql.end()
}

/** The process ids of PostgreSQL: the postmaster and its children. */
function postgresProcesses(): number[] {
  const postmaster = postmasterOf(data) as number
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)]
}

test(
  'a transaction whose connection is cut between two statements fails, and no other',
  async () => {
    const { sql } = (await standard()).parts
    for (let round = 0; round < 3; round++) {
      const cut = sql.begin(async (tx) => {
        const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        await sql`select pg_terminate_backend(${own?.pid ?? 0})`
        await Bun.sleep(50)
        await tx`select 2`
      })
      await expect(cut).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
      const startMs = performance.now()
      await Promise.all(Array.from({ length: 16 }, () => sql`select pg_sleep(0.02)`))
      expect(performance.now() - startMs).toBeLessThan(4000)
    }
  },
  SPAWN_MS,
)

test(
  'with connections cut again and again no message is lost, and open sockets receive all',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await newServer(alice, bob)
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
  },
  SPAWN_MS,
)

test(
  'a killed PostgreSQL is restarted; until then requests answer 503, and no message is lost',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const live = await connect(bob)
    const sending = Array.from({ length: 40 }, async (_, n) => {
      await Bun.sleep(n * 10)
      return send(alice, channel_id, `nonce-${n}`)
    })
    await Bun.sleep(100)
    process.kill(postmasterOf(data) as number, 'SIGKILL')
    // Until a request meets the fault: PostgreSQL may be back before the next one.
    await until(async () => {
      const answer = await alice.get('/api/auth/sessions')
      if (answer.status !== 200) expectAway(answer)
      return answer.status !== 200
    })
    await until(isReady)
    await expectAllThere(alice, channel_id, live, await Promise.all(sending))
    live.close()
  },
  SPAWN_MS,
)

test(
  'while PostgreSQL stands still requests answer 503 in bounded time, and late commits are published',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const live = await connect(bob)
    const processes = postgresProcesses()
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    try {
      const startMs = performance.now()
      const [sent, ready] = await Promise.all([
        alice.post(`/api/channels/${channel_id}/messages`, { content: 'late', nonce: 'late' }),
        isReady(),
      ])
      expect(ready).toBe(false)
      expectAway(sent)
      expect(performance.now() - startMs).toBeLessThan(20_000)
      expect((await call(parley, 'GET', '/healthz')).status).toBe(200)
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    }
    await until(isReady)
    const id = await send(alice, channel_id, 'late')
    await expectAllThere(alice, channel_id, live, [id])
    live.close()
  },
  SPAWN_MS,
)

/**
 * Runs a write whose connection is cut: after a commit, whose answer is then lost, or before it. A commit inside of
 * a transaction confuses the driver's pool, so this needs a separate server.
 */
async function cutWrite(own: Parley, when: 'after' | 'before', work: Parameters<typeof own.parts.write>[0]) {
  const writing = own.parts.write(async (tx, emit, notify) => {
    const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await work(tx, emit, notify)
    if (when === 'after') await tx`commit`
    await own.parts.sql`select pg_terminate_backend(${backend?.pid ?? 0})`
    await tx`select 1`
  })
  expect(await writing.catch(isDatabaseAway)).toBe(true)
}

test(
  'a kick takes effect when the answer to its commit is lost',
  async () => {
    const own = await boot()
    const [alice, bob] = [await person(own, 'alice'), await person(own, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const live = await connect(bob)
    await cutWrite(own, 'after', (tx, emit, notify) => leave(tx, emit, notify, { server_id, user_id: bob.id }))
    await live.next('server.deleted', (frame) => frame.d.id === server_id)
    await say(alice, channel_id, 'without bob')
    await live.settled()
    expect(live.of('message.created')).toEqual([])
    live.close()
    await stop(own)
  },
  SPAWN_MS,
)

test(
  'a session ended by a commit whose answer is lost is closed; one whose end was rolled back is not',
  async () => {
    const own = await boot()
    const [alice, bob] = [await person(own, 'alice'), await person(own, 'bob')]
    const [first, second] = [await connect(alice), await connect(bob)]
    const end = (live: Gateway) => async (tx: Transaction, _emit: unknown, notify: Notify) => {
      const session_ids = [live.frames[0]?.d.session.id as number]
      await tx`delete from sessions where id = any(${session_ids})`
      notify({ kind: 'sessions_revoked', session_ids })
    }
    await cutWrite(own, 'before', end(second))
    await cutWrite(own, 'after', end(first))
    expect(await first.closed).toMatchObject({ code: 4003 })
    expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
    await second.settled()
    expect((await bob.get('/api/auth/me')).status).toBe(200)
    second.close()
    await stop(own)
  },
  SPAWN_MS,
)
