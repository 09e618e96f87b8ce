import { expect, test } from 'bun:test'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { answer, stageOf } from '../../support/interactions.ts'
import { markupCases, scripts } from '../../support/markup-cases.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { upload } from '../../support/uploads.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { server_id, channel_id } = await newServer(alice, bob)
const path = `/api/channels/${channel_id}/messages`

test('a message mentions the same people that the client draws as mentioned, in twelve scripts', async () => {
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
  for (const { text, people, roles, everyone, here } of scripts.flatMap(markupCases)) {
    const sent = await say(alice, channel_id, text.replace('<@8>', `<@${bob.id}>`).replace('<@&7>', `<@&${role}>`))
    const { mention_ids, mention_role_ids, mention_everyone, mention_here } = sent
    expect([text, mention_ids, mention_role_ids, mention_everyone, mention_here]).toEqual([
      text,
      people ? [bob.id] : [],
      roles ? [role] : [],
      everyone,
      here,
    ])
  }
})

const NOTHING = [' \n\t', '\u200b', '\u3164\u115f', '\u2800', '\u200d\ufe0f', '\u{e0041}', '**\u200b**', '> ', '\u202e']

test('content that shows nothing is refused like empty content, on every route', async () => {
  const { id } = await say(bob, channel_id, 'A heron')
  await befriend(alice, bob)
  const direct = await write(bob, alice, 'A heron')
  const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Herons' })).body.id
  const { url } = await webhook(alice, channel_id)
  const before = (await newest(alice, channel_id)).id
  for (const content of NOTHING) {
    const answers = [
      await bob.post(path, { content }),
      await bob.put(`/api/messages/${id}`, { content }),
      await bob.post('/api/dm/messages', { recipient_id: alice.id, content }),
      await bob.put(`/api/dm/messages/${direct.id}`, { content }),
      await bob.post(`/api/channels/${thread}/messages`, { content }),
    ]
    expect([content, ...answers.map(({ status }) => status)]).toEqual([content, 422, 422, 422, 422, 422])
    expect([content, (await post(alice, url, { content })).status]).toEqual([content, 400])
    expect([content, (await post(alice, `${url}/slack`, { text: content })).status]).toEqual([content, 400])
    const embeds = [{ title: content, fields: [{ name: content, value: '\u200b' }] }]
    if (!/[*>]/.test(content)) expect([content, (await post(alice, url, { embeds })).status]).toEqual([content, 400])
  }
  expect((await newest(alice, channel_id)).id).toBe(before)
})

test('content that shows nothing counts as empty with a file and in a forward', async () => {
  const file = await upload(bob, 'heron.txt', 'text/plain', new TextEncoder().encode('heron'))
  expect((await bob.post(path, { content: '\u200b', file_ids: [file.id] })).body.content).toBe('')
  const { id } = await say(bob, channel_id, 'A heron')
  const forwarded = await alice.post(path, { content: ' \u3164', forward_message_id: id })
  expect([forwarded.status, forwarded.body.content]).toEqual([201, ''])
})

test('a bot’s answer that shows nothing is refused', async () => {
  const { bot, idOf, use, close } = await stageOf(alice, bob)()
  const interaction = await use(idOf('roll'))
  expect((await answer(bot, interaction, { kind: 'message', content: '\u200b' })).status).toBe(422)
  expect((await answer(bot, interaction, { kind: 'message', content: '\u3164', ephemeral: true })).status).toBe(422)
  expect((await answer(bot, interaction, { kind: 'message', content: 'A 5' })).status).toBe(201)
  close()
})
