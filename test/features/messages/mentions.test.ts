import { expect, test } from 'bun:test'
import { mentionsIn } from '../../../src/core/markup/references.ts'
import { sendNotice } from '../../../src/features/messages/notice.ts'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'

const parley = await standard()
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const { sql, write } = parley.parts
const { server_id, channel_id } = await newServer(alice, bob, carol)
const send = (who: Person, draft: object) => who.post(`/api/channels/${channel_id}/messages`, draft)

test('a text names people, roles, everyone and here; code names nobody', () => {
  expect(mentionsIn('<@1> <@&7> @everyone `<@2> @here` ```\n<@3>\n``` <@1>')).toEqual({
    people: [1],
    roles: [7],
    everyone: true,
    here: false,
  })
  const none = 'mail@everyones.example @hereabouts ann@everyone.com ben@here.org @@here'
  expect(mentionsIn(none)).toMatchObject({ everyone: false, here: false })
  expect(mentionsIn('(@everyone) <@1>@here')).toMatchObject({ everyone: true, here: true })
})

test('a reply mentions the author of its original, unless it opts out; an edit keeps that', async () => {
  const first = await say(bob, channel_id, 'Who saw it?')
  const loud = await send(alice, { content: 'I did', reply_to_id: first.id })
  expect(loud.body.mention_ids).toEqual([bob.id])
  const quiet = await send(alice, { content: 'I did', reply_to_id: first.id, reply_mention: false })
  expect(quiet.body.mention_ids).toEqual([])
  const edit = async (id: number) => (await alice.put(`/api/messages/${id}`, { content: `<@${carol.id}>` })).body
  expect((await edit(loud.body.id)).mention_ids).toEqual([bob.id, carol.id].toSorted((a, b) => a - b))
  expect((await edit(quiet.body.id)).mention_ids).toEqual([carol.id])
  const own = await send(bob, { content: 'It was a heron', reply_to_id: first.id })
  expect(own.body.mention_ids).toEqual([])
})

test('everyone, here and roles that are not mentionable need mention_everyone', async () => {
  const role = async (fields: object) =>
    (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', permissions: 0, ...fields })).body.id
  const [open, closed] = [await role({ mentionable: true }), await role({})]
  const content = `<@&${open}> <@&${closed}> @everyone @here`
  const refused = (await send(bob, { content })).body
  expect(refused).toMatchObject({ mention_role_ids: [open], mention_everyone: false, mention_here: false, content })
  const owner = (await send(alice, { content })).body
  expect(owner).toMatchObject({ mention_role_ids: [open, closed], mention_everyone: true, mention_here: true })
  const edited = await alice.put(`/api/messages/${owner.id}`, { content: '@here' })
  expect(edited.body).toMatchObject({ mention_role_ids: [], mention_everyone: false, mention_here: true })
})

test('slowmode holds back a second message, but no edit and no repeated nonce', async () => {
  const home = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'slow', type: 'text' })).body.id
  await sql`update channels set slowmode_seconds = 60 where id = ${home}`
  const write = (who: Person, content: string, nonce?: string) =>
    who.post(`/api/channels/${home}/messages`, { content, nonce })
  const first = await write(bob, 'A heron', 'one')
  expect(first.status).toBe(201)
  const refusal = await write(bob, 'Another one')
  expect([refusal.status, refusal.body.code]).toEqual([429, 'slowmode'])
  expect(refusal.body.retry_after).toBeWithin(1, 61)
  expect((await write(bob, 'A heron', 'one')).status).toBe(200)
  expect((await bob.put(`/api/messages/${first.body.id}`, { content: 'Two herons' })).status).toBe(200)
  expect((await bob.delete(`/api/messages/${first.body.id}`)).status).toBe(204)
  expect((await write(bob, 'Another one')).status).toBe(429)
  expect((await write(carol, 'Good morning')).status).toBe(201)
  expect([(await write(alice, 'One')).status, (await write(alice, 'Two')).status]).toEqual([201, 201])
  await sql`update slowmode_marks set sent_at = sent_at - interval '60 seconds'`
  expect((await write(bob, 'Another one')).status).toBe(201)
})

test('a notice is a message of its kind that nobody edits and that is not unread', async () => {
  const notice = async (home: number, of: Person) => {
    await write((tx, emit) => sendNotice(tx, emit, home, of.id, 'renamed', { name: 'herons' }))
    const [newest] = (await of.get(`/api/channels/${home}/messages?limit=1`)).body
    expect(newest).toMatchObject({ kind: 'renamed', author: { id: of.id }, content: '', data: { name: 'herons' } })
    const edit = await of.put(`/api/messages/${newest.id}`, { content: 'x' })
    expect([edit.status, edit.body.code]).toEqual([403, 'forbidden'])
    return newest.id
  }
  await notice(channel_id, alice)
  await befriend(alice, bob)
  const dm = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })).body.id
  const { id: newest } = await say(alice, dm, 'Good morning')
  const id = await notice(dm, alice)
  const unread = async () => {
    const list = (await bob.get('/api/dm/conversations')).body
    return list.find((one: { channel_id: number }) => one.channel_id === dm)
  }
  expect(await unread()).toMatchObject({ last_message: { id }, unread_count: 1 })
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  expect(await unread()).toMatchObject({ last_message: { id: newest }, unread_count: 1 })
})
