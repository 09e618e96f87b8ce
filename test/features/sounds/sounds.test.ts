import { expect, test } from 'bun:test'
import { boot, newServer, type Person, person, standard, stop, until } from '../../support/harness.ts'
import { sound } from '../../support/ogg.ts'
import { promote } from '../../support/ranks.ts'
import { upload } from '../../support/uploads.ts'

const parley = await standard()

async function stage() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  return { alice, bob, server_id, path: `/api/servers/${server_id}/sounds` }
}

const file = async (who: Person, bytes: Uint8Array) => (await upload(who, 'owl.ogg', 'audio/ogg', bytes)).id
const draft = async (who: Person, name: string, bytes = sound(1)) => ({ name, file_id: await file(who, bytes) })

test('a sound is made from an upload, listed, played from its URL, renamed and deleted', async () => {
  const { alice, bob, server_id, path } = await stage()
  const { file_id } = await draft(alice, '')
  const answer = await alice.post(path, { name: 'Tawny owl', emoji: '🦉', file_id })
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ name: 'Tawny owl', emoji: '🦉', duration_ms: 1000, creator_id: alice.id })
  expect((await alice.get(`/api/files/${file_id}`)).status).toBe(404)
  expect((await bob.get(path)).body).toEqual([answer.body])
  const media = await fetch(parley.url + answer.body.url)
  expect([media.status, media.headers.get('content-type')]).toEqual([200, 'audio/ogg'])
  expect(media.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await media.bytes()).toEqual(new Uint8Array(sound(1)))
  const at = `/api/sounds/${answer.body.id}`
  expect((await alice.put(at, { name: 'Owl', emoji: null })).body).toMatchObject({ name: 'Owl', emoji: null })
  expect((await bob.put(at, { name: 'Mine' })).body.code).toBe('missing_permission')
  expect((await bob.delete(at)).body.code).toBe('missing_permission')
  const stranger = await person(parley, 'mallory')
  expect((await stranger.put(at, { name: 'Mine' })).status).toBe(404)
  expect((await alice.delete(at)).status).toBe(204)
  expect((await bob.get(path)).body).toEqual([])
  expect((await fetch(parley.url + answer.body.url)).status).toBe(404)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?limit=3`)).body
  expect(log.map(({ action }: { action: string }) => action)).toEqual([
    'sound.deleted',
    'sound.updated',
    'sound.created',
  ])
})

test('a sound that is too long, too large, or no Ogg Opus is refused, and its upload stays', async () => {
  const { alice, path } = await stage()
  const huge = Buffer.concat([sound(1), Buffer.alloc(256 * 1024)])
  for (const bytes of [sound(5.02), huge, Buffer.from('<script>alert(1)</script>')]) {
    const body = await draft(alice, 'Owl', bytes)
    const answer = await alice.post(path, body)
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'body.file_id'])
    expect((await alice.get(`/api/files/${body.file_id}`)).status).toBe(200)
  }
})

test('sounds are made from own uploads only, with manage_emoji, and at most 24 in a server', async () => {
  const { alice, bob, server_id, path } = await stage()
  expect((await bob.post(path, await draft(bob, 'Owl'))).body.code).toBe('missing_permission')
  await promote(bob, server_id, { bits: ['manage_emoji'] })
  expect((await bob.post(path, await draft(alice, 'Owl'))).status).toBe(404)
  const { sql } = parley.parts
  await sql`insert into sounds (server_id, name, key, size, duration_ms, creator_id)
    select ${server_id}, 'Owl', gen_random_uuid()::text, 0, 20, ${alice.id} from generate_series(1, 23)`
  const racing = await Promise.all(
    [await draft(alice, 'A'), await draft(alice, 'B')].map((body) => alice.post(path, body)),
  )
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_sounds')
})

test('sounds count against the quota of their server, and release it', async () => {
  const own = await boot({ SERVER_ASSETS_BYTES_MAX: String(sound(1).length + 10) })
  try {
    const alice = await person(own, 'alice')
    const { server_id } = await newServer(alice)
    const path = `/api/servers/${server_id}/sounds`
    const first = await alice.post(path, await draft(alice, 'First'))
    expect(first.status).toBe(201)
    expect((await alice.post(path, await draft(alice, 'Second'))).body.code).toBe('too_many_bytes')
    expect((await alice.delete(`/api/sounds/${first.body.id}`)).status).toBe(204)
    expect((await alice.post(path, await draft(alice, 'Second'))).status).toBe(201)
    // The object of the refused one goes, too.
    await until(async () => {
      await own.sweep()
      const [{ n }] = await own.parts.sql<[{ n: number }]>`select count(*)::int as n from object_outbox
        where key like 'sounds/%' and due_at <= now()`
      return n === 0
    })
  } finally {
    await stop(own)
  }
})
