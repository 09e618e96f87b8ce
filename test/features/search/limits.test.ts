import { expect, test } from 'bun:test'
import { openDatabase } from '../../../src/database/database.ts'
import { Replica } from '../../../src/database/replica.ts'
import { type Read, readOn } from '../../../src/database/replicas.ts'
import { MessageSearch } from '../../../src/features/search/model.ts'
import { Searches } from '../../../src/features/search/search.ts'
import { boot, newServer, type Person, say, standard, stop, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'

const parley = await standard()
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { sql } = parley.parts
const { channel_id } = await newServer(alice, bob)
await say(alice, channel_id, 'A heron')
await parley.sweep()

const ask = (who: Person, query: Record<string, string>) => who.get(`/api/search?${new URLSearchParams(query)}`)

test('a search that takes too long is given up, and says so', async () => {
  const answer = await sql.begin(async (tx) => {
    await tx`lock table search_documents in access exclusive mode`
    return ask(bob, { q: 'heron' })
  })
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
  expect(answer.body.detail).toContain('takes too long')
})

test('an account that searches much does not keep the others waiting', async () => {
  const searches = new Searches(readOn(sql))
  const ended: number[] = []
  const search = async ({ id }: Person) => {
    await searches.page(id, MessageSearch.parse({ q: 'heron' })).catch(() => undefined)
    ended.push(id)
  }
  const all = await sql.begin(async (tx) => {
    await tx`lock table search_documents in access exclusive mode`
    const searches = [...Array.from({ length: 20 }, () => search(alice)), search(bob)]
    // Two of alice and the one of bob have reached the database: opening their connections takes as long as it takes.
    const running = () => tx`select from pg_locks where not granted and relation = 'search_documents'::regclass`
    await until(async () => (await running()).length === 3)
    return searches
  })
  await Promise.all(all)
  expect(ended.indexOf(bob.id)).toBeLessThan(10)
})

test('searches on a replica that answers no longer are repeated at once, and keep nobody waiting', async () => {
  // Takes connections, and says nothing.
  const opened = { count: 0 }
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: () => void opened.count++, data() {} } })
  const open = () => openDatabase({ url: `postgres://parley@127.0.0.1:${silent.port}/parley`, isReplica: true }, 4)
  const replica = new Replica('silent', open(), open())
  const onReplica: Read = (_kind, work) =>
    replica.during((database) => work(database, 'replica')).catch(() => work(sql, 'primary'))
  const searches = new Searches(onReplica)
  const ended = { isEnded: false }
  const all = Promise.all(
    [alice, alice, bob, bob].map(({ id }) => searches.page(id, MessageSearch.parse({ q: 'heron' }))),
  ).finally(() => (ended.isEnded = true))
  await until(() => opened.count === 4)
  expect(ended.isEnded).toBe(false)
  replica.leaveOut('It does not answer')
  for (const answer of await all) expect(await answer.json()).toMatchObject({ messages: [{ content: 'A heron' }] })
  for (const pool of [replica.sql, replica.probe]) await pool.end({ timeout: 0 })
  silent.stop(true)
})

test('an account searches twenty times at once, then once a second', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const [eve, fay] = await passersBy(strict, 'eve', 'fay')
  const many = await Promise.all(Array.from({ length: 30 }, () => ask(eve, { q: 'heron' })))
  expect(many.filter(({ status }) => status === 200).length).toBeWithin(20, 26)
  expect(many.find(({ status }) => status !== 200)?.body.code).toBe('rate_limited')
  expect((await ask(fay, { q: 'heron' })).status).toBe(200)
  await stop(strict)
})
