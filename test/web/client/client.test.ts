import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openClient } from '../../../src/web/client/client.ts'
import { boot, person, room, standard, stop, until } from '../../support/harness.ts'
import { StoreClient } from '../../support/store-client.ts'

const parley = await standard()

test('the typed client has exactly the public routes', async () => {
  const source = await Bun.file(join(import.meta.dir, '../../../src/web/client/endpoints.ts')).text()
  const plain = (path: string) => path.replace(/:\w+/g, ':')
  const typed = [...source.matchAll(/^ {2}'([A-Z]+ \/\S+)':/gm)].map(([, name = '']) => plain(name))
  const declared = parley.routes.filter(({ path, hooks }) => path.startsWith('/api/') && !hooks.detail?.hide)
  expect(typed.toSorted()).toEqual(declared.map(({ method, path }) => plain(`${method} ${path}`)).toSorted())
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
  const own = await boot()
  const port = Number(new URL(own.url).port)
  const alice = await person(own, 'alice')
  const { channel_id } = await room(alice)
  const { DATABASE_URL = '', DATA_DIR } = own.parts.environment
  let kept = '[]'
  const storage = { read: () => kept, write: (text: string) => void (kept = text) }
  const client = openClient({ base: own.url, token: alice.token, storage })
  client.gateway.connect()
  await until(() => client.gateway.state === 'online')
  await stop(own)
  await until(() => client.gateway.state === 'waiting')
  for (const content of ['one', 'two', 'three'])
    client.outbox.send({ channel_id }, { content, file_ids: [], reply_to_id: null })
  expect(JSON.parse(kept)).toHaveLength(3)
  const again = await boot({ PORT: String(port), DATABASE_URL, DATA_DIR })
  await until(() => client.gateway.state === 'online', 30_000)
  await until(() => client.outbox.of({ channel_id }).length === 0, 10_000)
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content)).toEqual(['three', 'two', 'one'])
  expect(kept).toBe('[]')
  client.gateway.disconnect()
  await stop(again)
})

test('a refused draft stays until it is dropped, and does not delay the others', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await room(alice)
  const { outbox } = openClient({ base: parley.url, token: alice.token })
  const draft = (content: string) => outbox.send({ channel_id }, { content, file_ids: [], reply_to_id: null })
  const [long] = [draft('x'.repeat(5000)), draft('fits')]
  await until(() => outbox.of({ channel_id }).length === 1)
  expect(outbox.of({ channel_id })).toEqual([{ ...long, refused: expect.any(String) }])
  outbox.drop(long.nonce)
  expect(outbox.of({ channel_id })).toEqual([])
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
