import { afterAll, expect, test } from 'bun:test'
import { boot, type Person, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { promote } from '../../support/ranks.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
afterAll(() => stop(parley))
const { sql } = parley.parts
const [alice, mod, bob, eve] = await passersBy(parley, 'alice', 'mod', 'bob', 'eve')

async function scene() {
  const at = await place(alice, mod, bob, eve)
  await promote(mod, at.server_id, { bits: ['moderate_members'] })
  return at
}

/** A message of eve's with a picture, and the keys of its objects. */
async function pictured(channel_id: number) {
  const file = await upload(eve, 'nest.png', 'image/png', await png(64, 48))
  const sent = await eve.post(`/api/channels/${channel_id}/messages`, { content: 'Nest', file_ids: [file.id] })
  expect(sent.status).toBe(201)
  const [row] = await sql<{ key: string; thumbnail_key: string }[]>`
    select key, thumbnail_key from files where id = ${file.id}`
  return { id: sent.body.id as number, file_id: file.id, keys: [row?.key ?? '', row?.thumbnail_key ?? ''] }
}

const bytesOf = async (who: Person, reportId: number, file_id: number, query = '') => {
  const answer = await who.get(`/api/reports/${reportId}/files/${file_id}/download-url${query}`)
  expect(answer.status).toBe(200)
  return fetch(answer.body.download_url)
}

test('files of a reported message stay for moderators until 90 days after the decision', async () => {
  const { server_id, channel_id } = await scene()
  const { id, file_id, keys } = await pictured(channel_id)
  await report(bob, id)
  await eve.delete(`/api/messages/${id}`)
  await parley.sweep()
  await parley.sweep()
  const [row] = await reportsOf(mod, server_id)
  expect(row).toMatchObject({ is_deleted: true, file_count: 1, omitted_files: 0 })
  const { files } = (await mod.get(`/api/reports/${row.id}`)).body
  expect(files).toMatchObject([{ file_id, filename: 'nest.png', width: 64, height: 48, has_thumbnail: true }])
  for (const query of ['', '?variant=thumbnail'])
    expect((await bytesOf(mod, row.id, file_id, query)).headers.get('content-type')).toStartWith('image/')
  for (const who of [bob, eve])
    expect((await who.get(`/api/reports/${row.id}/files/${file_id}/download-url`)).status).toBe(404)
  expect((await mod.get(`/api/files/${file_id}`)).status).toBe(404)
  expect((await mod.get(`/api/reports/${row.id}/files/${file_id + 1}/download-url`)).status).toBe(404)

  await mod.put(`/api/reports/${row.id}`, { state: 'resolved', note: 'Banned' })
  await sql`update reports set closed_at = now() - interval '91 days' where id = ${row.id}`
  await parley.sweep()
  await parley.sweep()
  const { body } = await mod.get(`/api/reports/${row.id}`)
  expect(body).toMatchObject({ state: 'resolved', note: 'Banned', content: '', evidence: [], files: [], file_count: 0 })
  expect(await sql`select 1 from object_outbox where key = any(${keys})`).toHaveLength(0)
  await sql`update reports set closed_at = now() - interval '731 days' where id = ${row.id}`
  await parley.sweep()
  expect(await reportsOf(mod, server_id)).toEqual([])
})

test('a dismissed report is gone 90 days after the decision, and an open one stays', async () => {
  const { server_id, channel_id } = await scene()
  for (const n of [1, 2])
    await report(bob, (await eve.post(`/api/channels/${channel_id}/messages`, { content: `Nest ${n}` })).body.id)
  const [second, first] = await reportsOf(mod, server_id)
  await mod.put(`/api/reports/${first.id}`, { state: 'dismissed' })
  await sql`update reports set closed_at = now() - interval '91 days' where id = ${first.id}`
  await sql`update reports set created_at = now() - interval '900 days' where id = ${second.id}`
  await parley.sweep()
  expect((await reportsOf(mod, server_id)).map(({ id }) => id)).toEqual([second.id])
})

test('two reports keep a file until both are gone, and a file that stays in its message is untouched', async () => {
  const { server_id, channel_id } = await scene()
  const { id, file_id, keys } = await pictured(channel_id)
  await report(bob, id, 'minor_safety')
  await report(bob, id)
  const [row] = await reportsOf(mod, server_id)
  const [secret] = await sql<{ id: number }[]>`select id from reports where for_operator and subject_id = ${id}`
  await eve.delete(`/api/messages/${id}`)
  await sql`delete from reports where id = ${row.id}`
  await parley.sweep()
  await parley.sweep()
  expect(await sql`select 1 from object_outbox where key = any(${keys}) and due_at = 'infinity'`).toHaveLength(2)
  await sql`delete from reports where id = ${secret?.id ?? 0}`
  await parley.sweep()
  await parley.sweep()
  expect(await sql`select 1 from object_outbox where key = any(${keys})`).toHaveLength(0)
  expect(file_id).toBeGreaterThan(0)

  const staying = await pictured(channel_id)
  await report(bob, staying.id)
  await sql`delete from reports where server_id = ${server_id}`
  await parley.sweep()
  expect((await bob.get(`/api/files/${staying.file_id}/download-url`)).status).toBe(200)
})

test('reports of a server keep at most 200 MiB of files, and say which are missing', async () => {
  const { server_id, channel_id } = await scene()
  const [first, second] = [await pictured(channel_id), await pictured(channel_id)]
  await report(bob, first.id)
  await sql`update report_files set size = ${200 * 1024 * 1024 - 10}`
  await report(bob, second.id)
  const [row] = await reportsOf(mod, server_id)
  expect(row).toMatchObject({ message_id: second.id, file_count: 0, omitted_files: 1 })
})
