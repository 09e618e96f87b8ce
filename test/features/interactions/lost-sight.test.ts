import { expect, test } from 'bun:test'
import { standard } from '../../support/harness.ts'
import { answer, option, stageOf } from '../../support/interactions.ts'
import { passersBy } from '../../support/people.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const stage = stageOf(alice, bob)

test('a bot’s answer in a channel does not reach a person who has lost sight of the channel', async () => {
  const here = await stage(
    { name: 'roll', description: 'Rolls dice' },
    { name: 'find', description: 'Finds', options: [option('text', 'string', { autocomplete: true })] },
  )
  const { bot, idOf, begin, use, seen, server_id, channel_id, close } = here
  const later = await use(idOf('roll'))
  expect((await answer(bot, later, { kind: 'deferred', ephemeral: true })).status).toBe(201)
  const [first, form] = [await use(idOf('roll')), await use(idOf('roll'))]
  const typing = { kind: 'autocomplete', command_id: idOf('find'), channel_id, options: { text: 'o' }, focused: 'text' }
  const typed = await begin(typing)
  expect((await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)).status).toBe(204)
  const words = 'What is said in there'
  const modal = { custom_id: 'a', title: words, inputs: [{ custom_id: 'text', label: 'Name', max: 3 }] }
  expect((await bot.put(`/api/interactions/${later.id}/answer`, { token: later.token, content: words })).status).toBe(
    404,
  )
  expect((await answer(bot, first, { kind: 'message', ephemeral: true, content: words })).status).toBe(404)
  expect((await answer(bot, form, { kind: 'modal', modal })).status).toBe(404)
  expect((await answer(bot, typed, { kind: 'choices', choices: [{ name: words, value: 'a' }] })).status).toBe(404)
  await seen.settled()
  expect(JSON.stringify(seen.frames)).not.toContain(words)
  close()
})
