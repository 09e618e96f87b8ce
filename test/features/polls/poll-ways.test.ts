import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { stageOf } from '../../support/interactions.ts'
import { passerBy, place } from '../../support/places.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const stage = stageOf(alice, bob)

const ANSWERS = [{ text: 'Gull' }, { text: 'Tern' }]

test('AutoMod judges the question and the answers of a poll, and of a poll that is forwarded', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const send = (draft: object) => bob.post(`/api/channels/${channel_id}/messages`, draft)
  const before = await send({ poll: { question: 'A heron?', answers: ANSWERS } })
  expect(before.status).toBe(201)
  await addRule(alice, server_id, wordsRule(['heron'], { covers_webhooks: true }))
  const polls = [
    { question: 'A heron?', answers: ANSWERS },
    { question: 'Which?', answers: [...ANSWERS, { text: 'The heron' }] },
  ]
  for (const poll of polls) expect((await send({ poll })).body.code).toBe('automod_blocked')
  expect((await send({ forward_message_id: before.body.id })).body.code).toBe('automod_blocked')
  const { url } = await webhook(alice, channel_id)
  const poll = { question: { text: 'A heron?' }, answers: ANSWERS.map(({ text }) => ({ poll_media: { text } })) }
  expect((await post(alice, url, { poll })).status).toBe(403)
})

test('a webhook sends a poll in Discord’s shape', async () => {
  const { channel_id } = await place(alice, bob)
  const { url } = await webhook(alice, channel_id)
  const answers = [
    { poll_media: { text: 'Gull', emoji: { name: '🐦' } } },
    { poll_media: { text: 'Tern', emoji: { id: '123', name: 'tern' } } },
  ]
  const poll = { question: { text: 'Which?' }, answers, duration: 48, allow_multiselect: true, layout_type: 1 }
  expect((await post(alice, url, { poll, username: 'Ornithologist' })).status).toBe(204)
  const message = await newest(bob, channel_id)
  expect(message.poll).toMatchObject({
    question: 'Which?',
    answers: [
      { id: 1, text: 'Gull', emoji: '🐦' },
      { id: 2, text: 'Tern', emoji: null },
    ],
    multiple: true,
    counts: [0, 0],
  })
  expect((Date.parse(message.poll.ends_at) - Date.now()) / 3_600_000).toBeWithin(47.9, 48.1)
  expect((await bob.put(`/api/messages/${message.id}/poll/votes`, { answer_ids: [1, 2] })).status).toBe(204)
  // Its author is nobody who could end it.
  expect((await bob.post(`/api/messages/${message.id}/poll/end`, {})).status).toBe(403)
  expect((await alice.post(`/api/messages/${message.id}/poll/end`, {})).status).toBe(204)
  const wrong = { question: { text: 'Which?' }, answers: answers.slice(0, 1) }
  expect((await post(alice, url, { poll: wrong })).status).toBe(400)
})

test('a bot sends a poll and ends it, but does not vote', async () => {
  const { channel_id, bot, close } = await stage()
  const poll = { question: 'Which?', answers: ANSWERS }
  const { status, body } = await bot.post(`/api/channels/${channel_id}/messages`, { poll })
  expect(status).toBe(201)
  const vote = await bot.put(`/api/messages/${body.id}/poll/votes`, { answer_ids: [1] })
  expect([vote.status, vote.body.code]).toEqual([403, 'not_for_bots'])
  expect((await bot.post(`/api/messages/${body.id}/poll/end`, {})).status).toBe(204)
  close()
})
