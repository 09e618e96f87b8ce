import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openClient } from '../../../src/web/client/client.ts'
import type { DraftStorage } from '../../../src/web/client/draft-store.ts'
import { boot, PASSWORD, person, newServer, standard, stop, until } from '../../support/harness.ts'
import { freePort } from '../../support/ports.ts'
import { connect } from '../../support/socket.ts'
import { StoreClient } from '../../support/store-client.ts'

const parley = await standard()

/** A storage like the browser's, shared by its tabs. */
function storageOf(): DraftStorage {
  const storage = new Map<string, string>()
  return {
    get length() {
      return storage.size
    },
    key: (at) => [...storage.keys()][at] ?? null,
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, text) => void storage.set(key, text),
    removeItem: (key) => void storage.delete(key),
  }
}

/** Visited by a browser itself: on the way to an identity provider and back, and the file behind a link. */
const VISITED = ['GET /api/auth/oidc/start', 'GET /api/auth/oidc/callback', 'GET /api/events/:/ics']

test('the typed client has exactly the public routes', async () => {
  const folder = join(import.meta.dir, '../../../src/web/client')
  const files = [...new Bun.Glob('*endpoints.ts').scanSync(folder)]
  const source = (await Promise.all(files.map((name) => Bun.file(join(folder, name)).text()))).join('')
  const plain = (path: string) => path.replace(/:\w+/g, ':')
  const typed = [...source.matchAll(/^ {2}'([A-Z]+ \/\S+)':/gm)].map(([, name = '']) => plain(name))
  const declared = parley.routes.filter(
    ({ path, hooks }) => /^\/(api|\.well-known)\//.test(path) && !hooks.detail?.hide,
  )
  const routes = declared.map(({ method, path }) => plain(`${method} ${path}`))
  expect([...typed, ...VISITED].toSorted()).toEqual(routes.toSorted())
})

test('a refused request rejects with its code and every broken rule', async () => {
  const alice = await person(parley, 'alice')
  const { call } = openClient({ base: parley.url, token: alice.token })
  const refused = await call('POST /api/servers', {}, { name: '' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 422, code: 'validation_failed', isTransient: false })
  expect(refused).toHaveProperty('errors.0.path', 'body.name')
  const away = await openClient({ base: 'http://127.0.0.1:9' })
    .call('GET /api/auth/me')
    .catch((error: unknown) => error)
  expect(away).toMatchObject({ status: 0, code: 'offline', isTransient: true })
})

test('messages written while the server is down are sent in order, once, when it is back', async () => {
  const port = freePort()
  const own = await boot({ PORT: String(port) })
  const alice = await person(own, 'alice')
  const { channel_id } = await newServer(alice)
  const { DATABASE_URL = '', DATA_DIR } = own.parts.environment
  const storage = storageOf()
  const client = openClient({ base: own.url, token: alice.token, storage })
  client.gateway.connect()
  await until(() => client.gateway.state === 'online')
  await stop(own)
  await until(() => client.gateway.state === 'waiting')
  for (const content of ['one', 'two', 'three'])
    client.outbox.send({ channel_id }, { content, file_ids: [], reply_to_id: null })
  expect(storage.length).toBe(3)
  const again = await boot({ PORT: String(port), DATABASE_URL, DATA_DIR })
  await until(() => client.gateway.state === 'online')
  await until(() => client.outbox.of({ channel_id }).length === 0)
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content)).toEqual(['three', 'two', 'one'])
  expect(storage.length).toBe(0)
  client.gateway.disconnect()
  await stop(again)
})

test('a refused draft stays until it is dropped, and does not delay the others', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const { outbox } = openClient({ base: parley.url, token: alice.token })
  const draft = (content: string) => outbox.send({ channel_id }, { content, file_ids: [], reply_to_id: null })
  const [long] = [draft('x'.repeat(5000)), draft('fits')]
  await until(() => outbox.of({ channel_id }).length === 1)
  expect(outbox.of({ channel_id })).toEqual([{ ...long, refused: expect.any(String) }])
  outbox.drop(long.nonce)
  expect(outbox.of({ channel_id })).toEqual([])
})

test('a draft whose message arrives by the gateway before the request is answered is no longer listed', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const answering = Promise.withResolvers<void>()
  const proxy = Bun.serve({
    port: 0,
    async fetch(request) {
      const answer = await fetch(parley.url + new URL(request.url).pathname, request)
      await answering.promise
      return answer
    },
  })
  const live = await connect(alice)
  const { outbox } = openClient({ base: proxy.url.origin, token: alice.token })
  const text = { content: ' Once ', file_ids: [], reply_to_id: null }
  const [one, other] = [outbox.send({ channel_id }, text), outbox.send({ channel_id }, text)]
  const came = await live.next('message.created')
  expect(came.d.nonce).toBe(one.nonce)
  outbox.arrived(crypto.randomUUID())
  expect(outbox.of({ channel_id })).toHaveLength(2)
  outbox.arrived(came.d.nonce)
  expect(outbox.of({ channel_id })).toEqual([other])
  answering.resolve()
  live.close()
  await proxy.stop()
})

test('a draft outlives its session until the next login of its account, and no other account sees it', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const storage = storageOf()
  const login = await alice.post('/api/auth/login', { username: alice.username, password: PASSWORD })
  let refusals = 0
  const proxy = Bun.serve({
    port: 0,
    async fetch(request) {
      const answer = await fetch(parley.url + new URL(request.url).pathname, request)
      if (answer.status === 401) refusals++
      return answer
    },
  })
  const ended = openClient({ base: proxy.url.origin, token: login.body.token, storage })
  ended.outbox.useAccount(alice.id)
  await ended.call('POST /api/auth/logout')
  ended.outbox.send({ channel_id }, { content: 'Not lost', file_ids: [], reply_to_id: null })
  await until(() => refusals === 1)
  const other = openClient({ base: parley.url, token: bob.token, storage })
  other.outbox.useAccount(bob.id)
  other.outbox.flush()
  expect(other.outbox.of({ channel_id })).toEqual([])
  // The client has read the first answer when the next one arrives.
  expect(await ended.call('GET /api/auth/me').catch((error) => error.status)).toBe(401)
  expect(ended.outbox.of({ channel_id })[0]).not.toHaveProperty('refused')
  const again = openClient({ base: parley.url, token: alice.token, storage })
  again.outbox.useAccount(alice.id)
  again.outbox.flush()
  await until(() => again.outbox.of({ channel_id }).length === 0)
  const { body } = await bob.get(`/api/channels/${channel_id}/messages`)
  expect(body.map(({ content, author }: any) => [content, author.id])).toEqual([['Not lost', alice.id]])
  await proxy.stop()
})

test('a draft of an earlier version, which noted no sender, belongs to the first account that logs in', () => {
  const storage = storageOf()
  const draft = { place: { channel_id: 1 }, nonce: 'n', content: 'x', file_ids: [], reply_to_id: null }
  storage.setItem('parley.outbox.n', JSON.stringify({ ...draft, created_at: new Date().toISOString() }))
  const [first, second] = [1, 2].map(() => openClient({ base: 'http://127.0.0.1:9', storage }).outbox)
  first?.useAccount(5)
  second?.refresh()
  second?.useAccount(6)
  expect(first?.of({ channel_id: 1 })).toHaveLength(1)
  expect(second?.of({ channel_id: 1 })).toEqual([])
})

test('two tabs that write while the server is away lose no message, and send each once', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const storage = storageOf()
  const text = (content: string) => ({ content, file_ids: [], reply_to_id: null })
  const [first, second] = [1, 2].map(() => openClient({ base: 'http://127.0.0.1:9', storage }).outbox)
  first?.send({ channel_id }, text('from the first tab'))
  second?.send({ channel_id }, text('from the second tab'))
  first?.send({ channel_id }, text('again from the first tab'))
  expect(storage.length).toBe(3)
  // Both tabs reload.
  const tabs = [1, 2].map(() => openClient({ base: parley.url, token: alice.token, storage }).outbox)
  for (const tab of tabs) tab.flush()
  await until(() => storage.length === 0)
  for (const tab of tabs) tab.refresh()
  expect(tabs.flatMap((tab) => tab.of({ channel_id }))).toEqual([])
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  const sent = body.map((message: { content: string }) => message.content)
  expect(sent.toReversed()).toEqual(['from the first tab', 'from the second tab', 'again from the first tab'])
})

test('drafts that an earlier version kept as one array are sent, and other entries do no harm', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const storage = storageOf()
  const draft = { file_ids: [], reply_to_id: null, created_at: new Date().toISOString(), place: { channel_id } }
  const old = { ...draft, nonce: crypto.randomUUID(), content: 'kept by an earlier version' }
  storage.setItem('parley.outbox', JSON.stringify([old, null, 7, { nonce: 1 }]))
  storage.setItem('parley.outbox.nothing', 'no JSON')
  storage.setItem('parley.outbox.other', '{"nonce":"another"}')
  const { outbox } = openClient({ base: parley.url, token: alice.token, storage })
  expect(outbox.of({ channel_id })).toEqual([old])
  outbox.flush()
  await until(() => outbox.of({ channel_id }).length === 0)
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content)).toEqual([old.content])
})

test('a client whose session is revoked ends, and does not reconnect', async () => {
  const alice = await person(parley, 'alice')
  const { gateway } = await StoreClient.open(alice)
  await alice.post('/api/auth/logout')
  await until(() => gateway.state === 'ended')
  const states: string[] = []
  gateway.watch((state) => states.push(state))
  gateway.connect()
  await until(() => gateway.state === 'ended')
  expect(states).toEqual(['connecting', 'waiting', 'ended'])
})
