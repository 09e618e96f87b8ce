import { expect, test } from 'bun:test'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { png } from '../../support/uploads.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const { channel_id, server_id } = await place(alice, bob)
const { id, url } = await webhook(alice, channel_id)
/** Sends and waits for the message in Discord's shape. */
const sent = async (body: object, to = url): Promise<any> => {
  const answer = await post(alice, `${to}?wait=true`, body)
  expect(answer.status).toBe(200)
  return answer.body
}
const UNKNOWN = { status: 404, body: { message: 'Unknown Message', code: 10008 } }

test('a webhook that may mention everyone does so without allowed_mentions, as Discord’s do', async () => {
  const { url: calling, id: calls } = await webhook(alice, channel_id, 'Alarm')
  await alice.put(`/api/webhooks/${calls}`, { mentions_everyone: true })
  const role = await rank(parley, server_id, 0)
  const content = `@everyone <@${bob.id}> <@&${role}>`
  const named = ({ mention_everyone, mentions, mention_roles }: any) => [mention_everyone, mentions, mention_roles]
  const all = [true, [{ id: String(bob.id) }], [String(role)]]
  expect(named(await sent({ content }, calling))).toEqual(all)
  expect(named(await sent({ content, allowed_mentions: null }, calling))).toEqual(all)
  expect(named(await sent({ content, allowed_mentions: {} }, calling))).toEqual([false, [], []])
  expect(named(await sent({ content, allowed_mentions: { parse: ['everyone'] } }, calling))).toEqual([true, [], []])
  expect(named(await sent({ content }))).toEqual([false, [], []])
  const { id: message } = await sent({ content: 'Later' }, calling)
  const edited = await post(alice, `${calling}/messages/${message}`, { content }, { method: 'PATCH' })
  expect(named(edited.body)).toEqual(all)
})

test('wait is true in every spelling that senders use', async () => {
  for (const wait of ['true', 'True', 'TRUE', '1', 'yes'])
    expect([wait, (await post(alice, `${url}?wait=${wait}`, { content: wait })).body.content]).toEqual([wait, wait])
  for (const wait of ['false', '0', '', 'no'])
    expect([wait, (await post(alice, `${url}?wait=${wait}`, { content: 'x' })).status]).toEqual([wait, 204])
})

test('an empty file is left out, and the rest of the message comes', async () => {
  const form = (...files: [name: string, text: string][]) => {
    const form = new FormData()
    form.append('payload_json', JSON.stringify({ content: files.length > 1 ? '' : 'A log' }))
    for (const [at, [name, text]] of files.entries()) form.append(`files[${at}]`, new File([text], name))
    return form
  }
  expect((await post(alice, url, form(['empty.log', '']))).status).toBe(204)
  expect(await newest(alice, channel_id)).toMatchObject({ content: 'A log', files: [] })
  expect((await post(alice, url, form(['empty.log', ''], ['full.log', 'x']))).status).toBe(204)
  expect((await newest(alice, channel_id)).files.map(({ filename }: any) => filename)).toEqual(['full.log'])
  const { status, body } = await post(alice, url, form(['a.log', ''], ['b.log', '']))
  expect([status, body.code]).toEqual([400, 50006])
})

test('flag 4 hides embeds, and flag 4096 keeps a message from devices', async () => {
  const hidden = await sent({ content: 'x', embeds: [{ title: 'Hidden' }], flags: 4 })
  expect(hidden).toMatchObject({ flags: 4, embeds: [] })
  expect(await newest(alice, channel_id)).toMatchObject({ embeds: [], embeds_suppressed: true })
  const at = `${url}/messages/${hidden.id}`
  const response = await post(alice, at, { flags: 0 }, { method: 'PATCH' })
  expect(response.body).toMatchObject({ flags: 0, embeds: [{ title: 'Hidden' }], content: 'x' })
  expect((await sent({ content: 'x', flags: '4096' })).flags).toBe(4096)
  expect((await newest(alice, channel_id)).data).toEqual({ silent: true })
  expect((await sent({ content: 'x', flags: 4 | 4096 | 64 })).flags).toBe(4 | 4096)
  expect((await sent({ content: 'x', flags: 'odd' })).flags).toBe(0)
  expect((await post(alice, url, { embeds: [{ title: 'x' }], flags: 4 })).body.code).toBe(50006)
})

test('a message is read by the URL; messages of others, and missing ones, are Discord’s unknown message', async () => {
  const { id: mine } = await sent({ content: 'mine' })
  const { body: theirs } = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'alice’s' })
  const of = (message: unknown, method = 'GET', body?: object) =>
    post(alice, `${url}/messages/${message}`, body, { method })
  expect((await of(mine)).body).toMatchObject({ id: mine, content: 'mine', webhook_id: String(id) })
  for (const wrong of [theirs.id, 999_999_999, 'odd', '9'.repeat(19)])
    for (const answer of [await of(wrong), await of(wrong, 'PATCH', { content: 'x' }), await of(wrong, 'DELETE')])
      expect(answer).toMatchObject(UNKNOWN)
  const response = await post(alice, `${url.slice(0, -1)}_/messages/${mine}`, undefined, { method: 'GET' })
  expect(response.body.code).toBe(10015)
})

test('the webhook itself is changed by its URL: name and picture, with an entry in the log', async () => {
  const { url: own, id: hook } = await webhook(alice, channel_id, 'Before')
  const patch = (body: object) => post(alice, own, body, { method: 'PATCH' })
  const avatar = `data:image/png;base64,${Buffer.from(await png(32, 32)).toString('base64')}`
  expect((await patch({ name: 'After', avatar })).body).toMatchObject({ id: String(hook), name: 'After' })
  const [{ display_name, avatar_file_id }] = await sql<any>`select * from users where id = ${hook}`
  expect([display_name, typeof avatar_file_id]).toEqual(['After', 'number'])
  expect((await patch({ channel_id: '1' })).body.name).toBe('After')
  expect((await patch({ avatar: null })).status).toBe(200)
  const [after] = await sql<any>`select avatar_file_id from users where id = ${hook}`
  expect(after.avatar_file_id).toBeNull()
  for (const wrong of [
    { name: '' },
    { name: 'x'.repeat(81) },
    { avatar: 'https://example.org/owl.png' },
    { avatar: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}` },
  ])
    expect([wrong, (await patch(wrong)).body.code]).toEqual([wrong, 50035])
  expect((await post(alice, `${own}x`, { name: 'x' }, { method: 'PATCH' })).body.code).toBe(10015)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'webhook.updated', actor: { id: hook, kind: 'webhook' } })
  expect(
    await sql`select 1 from files where uploader_id = ${alice.id} and filename = 'avatar'
    and id is distinct from ${avatar_file_id}`,
  ).toHaveLength(0)
})
