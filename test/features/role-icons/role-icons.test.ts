import { expect, test } from 'bun:test'
import { assetBytes } from '../../../src/features/access/assets.ts'
import { boot, newServer, type Person, person, standard, stop, until } from '../../support/harness.ts'
import { noise } from '../../support/noise.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()

const picture = async (who: Person, bytes?: Uint8Array) =>
  (await upload(who, 'owl.png', 'image/png', bytes ?? (await png(200, 100)))).id

async function stage(on = parley) {
  const [alice, bob] = [await person(on, 'alice'), await person(on, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const role = await alice.post(`/api/servers/${server_id}/roles`, { name: 'Warden', permissions: 0 })
  expect([role.status, role.body.icon_url]).toEqual([201, null])
  return { alice, bob, server_id, role_id: role.body.id as number, at: `/api/roles/${role.body.id}/icon` }
}

test('a role gets a small picture, which members see, and loses it again with its object', async () => {
  const { alice, bob, server_id, role_id, at } = await stage()
  const live = await connect(bob)
  const file_id = await picture(alice)
  const first = await alice.put(at, { file_id })
  expect(first.status).toBe(200)
  const url = first.body.icon_url
  expect((await live.next('role.updated', ({ d }) => d.id === role_id && d.icon_url === url)).d.name).toBe('Warden')
  const media = await fetch(parley.url + url)
  expect([media.status, media.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await new Bun.Image(await media.bytes()).metadata()).width).toBe(128)
  expect((await alice.get(`/api/files/${file_id}`)).status).toBe(404)
  const second = await alice.put(at, { file_id: await picture(alice) })
  expect(second.body.icon_url).not.toBe(url)
  expect((await fetch(parley.url + url)).status).toBe(404)
  expect((await alice.delete(at)).body).toMatchObject({ id: role_id, icon_url: null })
  expect((await alice.delete(at)).status).toBe(200)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?limit=3`)).body
  expect(log.map(({ action }: { action: string }) => action)).toEqual(Array(3).fill('role.updated'))
  expect(log[2].changes.icon_file_id).toEqual({ before: null, after: file_id })
  live.close()
})

test('only a picture of one’s own, and only on a role below one’s own with manage_roles', async () => {
  const { alice, bob, server_id, at } = await stage()
  expect((await bob.put(at, { file_id: await picture(bob) })).body.code).toBe('missing_permission')
  await promote(bob, server_id, { position: 1, bits: ['manage_roles'] })
  expect((await bob.put(at, { file_id: await picture(bob) })).body.code).toBe('forbidden')
  expect((await alice.put(at, { file_id: await picture(bob) })).status).toBe(404)
  const text = await upload(alice, 'owl.txt', 'text/plain', Buffer.from('<svg onload="alert(1)"/>'))
  expect((await alice.put(at, { file_id: text.id })).status).toBe(422)
  const everyone = (await alice.get(`/api/servers/${server_id}/roles`)).body[0]
  expect((await alice.put(`/api/roles/${everyone.id}/icon`, { file_id: await picture(alice) })).body.code).toBe(
    'forbidden',
  )
  const mallory = await person(parley, 'mallory')
  expect((await mallory.put(at, { file_id: await picture(mallory) })).status).toBe(404)
  expect((await mallory.delete(at)).status).toBe(404)
})

test('pictures of roles count against the quota of the server, and go with the role', async () => {
  const own = await boot({ SERVER_ASSETS_BYTES_MAX: '40000' })
  try {
    const { alice, server_id, role_id, at } = await stage(own)
    const { sql } = own.parts
    expect((await alice.put(at, { file_id: await picture(alice, await noise(100)) })).status).toBe(200)
    expect(await assetBytes(sql, server_id)).toBeGreaterThan(0)
    // In its place, not in addition.
    expect((await alice.put(at, { file_id: await picture(alice, await noise(100)) })).status).toBe(200)
    await sql`update server_assets set bytes = bytes_max where server_id = ${server_id}`
    const other = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Other' })).body.id
    const file_id = await picture(alice, await noise(200))
    expect((await alice.put(`/api/roles/${other}/icon`, { file_id })).body.code).toBe('too_many_bytes')
    expect((await alice.delete(`/api/roles/${role_id}`)).status).toBe(204)
    await until(async () => {
      await own.sweep()
      const [{ n }] = await sql<[{ n: number }]>`select count(*)::int as n from object_outbox
        where key like 'role-icons/%' and due_at <= now()`
      return n === 0
    })
  } finally {
    await stop(own)
  }
})
