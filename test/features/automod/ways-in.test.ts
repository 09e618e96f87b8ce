import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { answer, stageOf } from '../../support/interactions.ts'
import { passerBy, place } from '../../support/places.ts'
import { post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const stage = stageOf(alice, bob)
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const BLOCKED = [403, 'automod_blocked']

test('names of threads are judged when they begin and when they are renamed', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await addRule(alice, server_id, wordsRule(['heron']))
  const begin = (name: string) => bob.post(`/api/channels/${channel_id}/threads`, { name })
  expect(codeOf(await begin('A heron'))).toEqual(BLOCKED)
  const { status, body } = await begin('A gull')
  expect(status).toBe(201)
  expect(codeOf(await bob.put(`/api/channels/${body.id}`, { name: 'A heron' }))).toEqual(BLOCKED)
  expect((await bob.put(`/api/channels/${body.id}`, { name: 'A tern' })).body.name).toBe('A tern')
})

test('webhooks are judged if the rule covers them: text, name, cards and files, sent and edited', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const id = await addRule(alice, server_id, wordsRule(['heron']))
  const { url } = await webhook(alice, channel_id)
  expect((await post(alice, url, { content: 'heron' })).status).toBeLessThan(300)
  await alice.put(`/api/automod/${id}`, wordsRule(['heron'], { covers_webhooks: true }))
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ content: 'gull' }))
  form.set('files[0]', new File(['x'], 'heron.txt'))
  for (const body of [
    { content: 'heron' },
    { content: 'gull', username: 'Heron' },
    { embeds: [{ title: 'Birds', fields: [{ name: 'x', value: 'heron' }] }] },
    form,
  ])
    expect((await post(alice, url, body)).status).toBe(403)
  const { body: message } = await post(alice, `${url}?wait=true`, { content: 'gull' })
  const edit = await post(alice, `${url}/messages/${message.id}`, { content: 'heron' }, { method: 'PATCH' })
  expect(edit.status).toBe(403)
  const { body: history } = await bob.get(`/api/channels/${channel_id}/messages`)
  expect(history.map(({ content }: any) => content)).toEqual(['gull', 'heron'])
})

test('bots are judged if the rule covers them: messages, cards, components and answers', async () => {
  const { server_id, channel_id, bot, use, idOf, close } = await stage()
  const id = await addRule(alice, server_id, wordsRule(['heron']))
  const send = (draft: object) => bot.post(`/api/channels/${channel_id}/messages`, draft)
  expect((await send({ content: 'heron' })).status).toBe(201)
  await alice.put(`/api/automod/${id}`, wordsRule(['heron'], { covers_bots: true }))
  const button = { type: 'button', label: 'A heron', custom_id: 'x' }
  for (const draft of [
    { content: 'heron' },
    { content: 'x', embeds: [{ description: 'heron' }] },
    { content: 'x', components: [[button]] },
  ])
    expect(codeOf(await send(draft))).toEqual(BLOCKED)
  for (const draft of [{ content: 'heron' }, { content: 'heron', ephemeral: true }]) {
    const interaction = await use(idOf('roll'))
    expect(codeOf(await answer(bot, interaction, { kind: 'message', ...draft }))).toEqual(BLOCKED)
    // A refused answer may be given again.
    expect((await answer(bot, interaction, { kind: 'message', content: 'gull' })).status).toBe(201)
    const change = { token: interaction.token, content: 'heron' }
    expect(codeOf(await bot.put(`/api/interactions/${interaction.id}/answer`, change))).toEqual(BLOCKED)
  }
  close()
})

test('a scheduled message that breaks a rule at its time is returned, and nobody reads it', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const draft = { content: 'A heron', file_ids: [] }
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await bob.post(`/api/channels/${channel_id}/scheduled`, { draft, send_at })
  await addRule(alice, server_id, wordsRule(['heron']))
  await parley.parts.sql`update scheduled_messages set send_at = now(), due_at = now() where id = ${body.id}`
  await parley.sweep()
  const scheduled = (await bob.get('/api/scheduled')).body
  expect(scheduled).toMatchObject([{ state: 'returned', reason: 'automod_blocked', content: 'A heron' }])
  expect((await alice.get(`/api/channels/${channel_id}/messages`)).body).toEqual([])
})

test('a rule that does not block acts on a scheduled message once it is sent, and not if it is returned', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await addRule(alice, server_id, wordsRule(['heron'], { actions: [{ type: 'quarantine' }] }))
  await alice.put(`/api/channels/${channel_id}`, { slowmode_seconds: 600 })
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'A gull' })).status).toBe(201)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const path = `/api/channels/${channel_id}/scheduled`
  const { body } = await bob.post(path, { draft: { content: 'A heron' }, send_at })
  const heldBack = async () => {
    await parley.parts.sql`update scheduled_messages set send_at = now(), due_at = now() where id = ${body.id}`
    await parley.sweep()
    const { body: members } = await alice.get(`/api/servers/${server_id}/members`)
    return members.find(({ user }: any) => user.id === bob.id).held_back
  }
  expect(await heldBack()).toBe(null)
  const returned = (await bob.get('/api/scheduled')).body.find(({ id }: any) => id === body.id)
  expect([returned.state, returned.reason]).toEqual(['returned', 'slowmode'])
  await alice.put(`/api/channels/${channel_id}`, { slowmode_seconds: 0 })
  await bob.put(`/api/scheduled/${body.id}`, { send_at })
  expect(await heldBack()).toBe('quarantined')
})
