import { expect, test } from 'bun:test'
import { BYTES_MAX } from '../../../src/features/templates/describe.ts'
import { person, standard } from '../../support/harness.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const alice = await person(parley, 'alice')

test('a large template leaves out the pictures of lower roles that do not fit, and can be sent back', async () => {
  const icon = Buffer.from(await png(8, 8)).toString('base64')
  const roles = Array.from({ length: 6 }, (_, at) => ({ name: `x${at}`, icon }))
  const channels = [{ name: 'general', type: 'text' }]
  const { body: server } = await alice.post('/api/servers', { name: 'Aviary', template: { channels, roles } })
  // As large as pictures may be: 48 KiB make 64 KiB of Base64.
  const { sql, objects } = parley.parts
  const keys = await sql<{ key: string }[]>`
    update role_icons set size = 48 * 1024 where server_id = ${server.id} returning key`
  const large = crypto.getRandomValues(new Uint8Array(48 * 1024))
  for (const { key } of keys) await objects.put(`role-icons/${key}`, large, 'image/webp')
  const { body } = await alice.get(`/api/servers/${server.id}/template`)
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(BYTES_MAX)
  expect(body.roles.map((role: { name: string; icon: string | null }) => [role.name, role.icon !== null])).toEqual([
    ['x0', false],
    ['x1', false],
    ['x2', false],
    ['x3', true],
    ['x4', true],
    ['x5', true],
  ])
})

test('a picture that is larger than a template takes stays out of it', async () => {
  const { body: server } = await alice.post('/api/servers', { name: 'Aviary' })
  const { body: role } = await alice.post(`/api/servers/${server.id}/roles`, { name: 'Owls' })
  const { id: file_id } = await upload(alice, 'owl.png', 'image/png', await png(8, 8))
  expect((await alice.put(`/api/roles/${role.id}/icon`, { file_id })).status).toBe(200)
  await parley.parts.sql`update role_icons set size = 48 * 1024 + 1 where role_id = ${role.id}`
  const { status, body } = await alice.get(`/api/servers/${server.id}/template`)
  expect([status, body.roles[0].icon]).toEqual([200, null])
})
