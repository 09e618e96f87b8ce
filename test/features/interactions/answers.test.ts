import { expect, test } from 'bun:test'
import { bitOf } from '../../../src/core/permissions.ts'
import { say, standard } from '../../support/harness.ts'
import { answer, type Asked, button, option, stageOf } from '../../support/interactions.ts'
import { passersBy, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
const stage = stageOf(alice, bob)
type Stage = Awaited<ReturnType<typeof stage>>

const select = (custom_id: string, of: string, more: object = {}) => ({ type: 'select', custom_id, of, ...more })
const letters = { options: [{ label: 'A', value: 'a' }] }
/** Bob's ephemeral message, and its interaction. */
async function whispered({ bot, idOf, use, nextAnswer }: Stage, components: object[][]) {
  const interaction = await use(idOf('roll'))
  const response = await answer(bot, interaction, { kind: 'message', ephemeral: true, content: 'Choose', components })
  expect([response.status, response.body.errors]).toEqual([201, undefined])
  await nextAnswer(interaction.id, 'ephemeral')
  return interaction
}
const change = ({ bot }: Stage, { id, token }: Asked, draft: object) =>
  bot.put(`/api/interactions/${id}/answer`, { token, ...draft })
const press = (interaction_id: number, custom_id: string, more: object = {}) => ({
  kind: 'component',
  interaction_id,
  custom_id,
  ...more,
})

test('buttons edit an answer for one person; a removed button no longer works', async () => {
  const here = await stage()
  const { bot, begin, nextAnswer, close } = here
  const interaction = await whispered(here, [[button('next')]])
  const pressed = await begin(press(interaction.id, 'next', { answer: 0 }))
  expect(pressed.message_id).toBeNull()
  const second = { kind: 'update', content: 'Page 2', components: [[button('back')]] }
  expect((await answer(bot, pressed, second)).body).toEqual({ message_id: null })
  expect(await nextAnswer(pressed.id, 'ephemeral')).toMatchObject({
    content: 'Page 2',
    answer: 0,
    replaces: { interaction_id: interaction.id, answer: 0 },
  })
  expect((await bob.post('/api/interactions', press(interaction.id, 'next'))).status).toBe(404)
  expect((await bob.post('/api/interactions', press(pressed.id, 'next'))).status).toBe(404)
  expect((await mallory.post('/api/interactions', press(pressed.id, 'back'))).status).toBe(404)
  // The change may come later, and may be edited again; empty text leaves the text.
  const back = await begin(press(pressed.id, 'back'))
  expect((await answer(bot, back, { kind: 'deferred', update: true })).status).toBe(201)
  await nextAnswer(back.id, 'deferred_update')
  expect((await change(here, back, { components: [[button('on')]] })).body).toEqual({ message_id: null })
  expect(await nextAnswer(back.id, 'ephemeral')).toMatchObject({
    content: '',
    replaces: { interaction_id: pressed.id },
  })
  const form = await begin(press(back.id, 'on'))
  const modal = { custom_id: 'name', title: 'A name', inputs: [{ custom_id: 'text', label: 'Name', max: 3 }] }
  expect((await answer(bot, form, { kind: 'modal', modal })).status).toBe(201)
  const filled = (values: object) => ({ kind: 'modal', interaction_id: form.id, custom_id: 'name', values })
  for (const values of [{}, { text: ' ' }, { text: 'Owls' }, { text: 'Owl', other: 'x' }])
    expect([values, (await bob.post('/api/interactions', filled(values))).status]).toEqual([values, 422])
  const named = await begin(filled({ text: 'Owl' }))
  expect((await answer(bot, named, { kind: 'update', content: 'An owl' })).status).toBe(201)
  expect((await nextAnswer(named.id, 'ephemeral')).replaces).toEqual({ interaction_id: back.id, answer: 0 })
  close()
})

test('an edit replaces the first answer for one person, and follow-ups have numbers', async () => {
  const here = await stage()
  const { bot, begin, nextAnswer, seen, close } = here
  const interaction = await whispered(here, [[button('a')]])
  const follow = {
    token: interaction.token,
    ephemeral: true,
    content: 'More',
    components: [[button('a'), button('b')]],
  }
  expect((await bot.post(`/api/interactions/${interaction.id}/follow-ups`, follow)).status).toBe(201)
  expect((await change(here, interaction, { content: 'Changed', components: [[button('c')]] })).status).toBe(200)
  await seen.next('interaction.answered', ({ d }) => d.content === 'Changed')
  const answerEvents = seen.of('interaction.answered').filter(({ d }) => d.interaction_id === interaction.id)
  expect(answerEvents.map(({ d }) => [d.content, d.answer, d.replaces])).toEqual([
    ['Choose', 0, null],
    ['More', 1, null],
    ['Changed', 0, null],
  ])
  for (const [custom_id, number, status] of [
    ['a', 0, 404],
    ['a', 1, 201],
    ['c', 0, 201],
    ['c', 1, 404],
    ['a', null, 201],
    ['b', -1, 422],
  ] as const)
    expect([
      custom_id,
      number,
      (await bob.post('/api/interactions', press(interaction.id, custom_id, { answer: number }))).status,
    ]).toEqual([custom_id, number, status])
  const pressed = await begin(press(interaction.id, 'b'))
  expect((await answer(bot, pressed, { kind: 'update', content: 'New' })).status).toBe(201)
  expect((await nextAnswer(pressed.id, 'ephemeral')).replaces).toEqual({ interaction_id: interaction.id, answer: 1 })
  // After any number of whispers, a bounded part of them stays usable.
  for (let n = 0; n < 25; n++) await bot.post(`/api/interactions/${interaction.id}/follow-ups`, follow)
  const [{ offers }] = await sql<[{ offers: object }]>`select offers from interactions where id = ${interaction.id}`
  expect(Object.keys(offers).length).toBeLessThanOrEqual(20)
  expect((await bob.post('/api/interactions', press(interaction.id, 'c', { answer: 0 }))).status).toBe(404)
  close()
})

test('a refused first answer leaves the right to answer first', async () => {
  const { bot, idOf, use, close } = await stage()
  const interaction = await use(idOf('roll'))
  const refused = [
    { kind: 'choices', choices: [] },
    { kind: 'update', content: 'x' },
    { kind: 'deferred', update: true },
    { kind: 'message', content: '' },
    { kind: 'message', ephemeral: true, content: 'x', file_ids: [1] },
    { kind: 'message', content: 'x', file_ids: [2 ** 40] },
  ]
  for (const draft of refused) expect([draft, (await answer(bot, interaction, draft)).status]).toEqual([draft, 422])
  const once = { kind: 'message', content: 'Once' }
  const responses = await Promise.all([1, 2, 3].map(() => answer(bot, interaction, once)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 410, 410])
  close()
})

test('a message with a button is changed later, by the button or by its modal', async () => {
  const here = await stage()
  const { bot, idOf, use, begin, nextAnswer, seen, close } = here
  const interaction = await use(idOf('roll'))
  const components = [[button('slow'), button('ask')]]
  // Components without text are a message.
  const { message_id } = (await answer(bot, interaction, { kind: 'message', components })).body
  expect((await bob.get(`/api/messages/${message_id}`)).body).toMatchObject({ content: '', data: { components } })
  const slow = await begin({ kind: 'component', message_id, custom_id: 'slow' })
  expect((await answer(bot, slow, { kind: 'deferred', update: true })).status).toBe(201)
  await nextAnswer(slow.id, 'deferred_update')
  expect((await change(here, slow, { content: 'At last', components })).body).toEqual({ message_id })
  await seen.next('message.updated', ({ d }) => d.id === message_id && d.content === 'At last')
  const form = await begin({ kind: 'component', message_id, custom_id: 'ask' })
  const modal = { custom_id: 'name', title: 'A name', inputs: [{ custom_id: 'text', label: 'Name' }] }
  await answer(bot, form, { kind: 'modal', modal })
  const filled = { kind: 'modal', interaction_id: form.id, custom_id: 'name', values: { text: 'Owl' } }
  const named = await begin(filled)
  expect(named.message_id).toBe(message_id)
  expect((await answer(bot, named, { kind: 'update', content: 'Owl' })).body).toEqual({ message_id })
  expect((await bob.get(`/api/messages/${message_id}`)).body).toMatchObject({
    content: 'Owl',
    data: { components: [], answering: { user_id: bob.id } },
  })
  close()
})

test('a bot changes components and cards of its messages by itself, and nobody else does', async () => {
  const { bot, channel_id, server_id, seen, close } = await stage()
  const card = { title: 'Owls', color: '#3a7bd5', fields: [{ name: 'Seen', value: '3' }] }
  const sent = await bot.post(`/api/channels/${channel_id}/messages`, { embeds: [card], components: [[button('a')]] })
  expect([sent.status, sent.body.errors]).toEqual([201, undefined])
  const { id } = sent.body
  expect(sent.body).toMatchObject({ content: '', embeds: [{ type: 'rich', ...card, image: null }] })
  expect((await seen.next('message.created', ({ d }) => d.id === id)).d).toEqual(sent.body)
  const path = `/api/messages/${id}`
  // A message may lose its last component only if something else is visible.
  expect((await bot.put(path, { components: [] })).body).toMatchObject({ data: { components: [] }, edited_at: null })
  expect((await bot.put(path, { embeds: [] })).status).toBe(422)
  const dated = await bot.put(path, { embeds: [{ ...card, timestamp: '2026-05-05T14:00:00+02:00' }] })
  expect(dated.body.embeds[0].timestamp).toBe('2026-05-05T12:00:00.000Z')
  const edited = await bot.put(path, { embeds: [{ description: 'None' }], content: 'See https://example.org/a' })
  expect(edited.body).toMatchObject({ embeds: [{ description: 'None' }], edited_at: expect.any(String) })
  expect((await bot.put(path, { content: 'Text' })).body).toMatchObject({ embeds: [{ description: 'None' }] })
  expect((await bot.put(path, { embeds: [] })).body).toMatchObject({ embeds: [], content: 'Text' })
  expect((await bot.put(path, {})).status).toBe(422)
  for (const draft of [{ components: [[button('a')]] }, { embeds: [card] }]) {
    expect((await alice.put(path, draft)).status).toBeOneOf([403, 422])
    const own = await say(bob, channel_id, 'Mine')
    expect((await bob.put(`/api/messages/${own.id}`, draft)).status).toBe(422)
    const emptied = Object.fromEntries(Object.keys(draft).map((name) => [name, []]))
    expect((await bob.put(`/api/messages/${own.id}`, emptied)).status).toBe(422)
    expect((await bot.put(`/api/messages/${own.id}`, draft)).status).toBe(403)
    expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'x', ...draft })).status).toBe(422)
  }
  const wrong = [
    {},
    { title: 'x'.repeat(257) },
    { title: 'x', url: 'javascript:alert(1)' },
    { title: 'x', image: { url: 'file:///etc/passwd' } },
    { title: 'x', url: 'https://example.org/\0' },
    { title: 'x', author: { name: 'y', url: 'https://example.org/\0' } },
    { title: 'x', image: { url: 'https://example.org/\0' } },
    { title: 'x', type: 'link' },
    { title: 'x', color: 'red' },
    { title: 'x', fields: Array.from({ length: 26 }, () => ({ name: 'a', value: 'b' })) },
  ]
  for (const embed of wrong) expect([embed, (await bot.put(path, { embeds: [embed] })).status]).toEqual([embed, 422])
  const link = { type: 'link', label: 'x', url: 'https://example.org/\0' }
  const select = { type: 'select', custom_id: 'a', options: [{ label: 'x', value: 'y', description: '\0' }] }
  for (const component of [link, select]) {
    const draft = { content: 'x', components: [[component]] }
    expect((await bot.post(`/api/channels/${channel_id}/messages`, draft)).status).toBe(422)
  }
  const options = Array.from({ length: 25 }, (_, at) => ({ label: '🪶'.repeat(90), value: `${at}` }))
  const heavy = Array.from({ length: 5 }, (_, at) => [{ type: 'select', custom_id: `${at}`, options }])
  for (const components of [heavy, heavy.slice(0, 4)]) {
    expect((await bot.post(`/api/channels/${channel_id}/messages`, { content: 'x', components })).status).toBe(422)
    expect((await bot.put(path, { components })).status).toBe(422)
  }
  const long = { description: 'x'.repeat(4000) }
  expect((await bot.put(path, { embeds: [long, long] })).status).toBe(422)
  expect((await bot.put(path, { embeds: Array.from({ length: 11 }, () => card) })).status).toBe(422)
  expect((await bot.get(path)).body.content).toBe('Text')
  expect((await alice.delete(`/api/servers/${server_id}/members/${bot.id}`)).status).toBe(204)
  expect((await bot.put(path, { components: [[button('b')]] })).status).toBe(404)
  close()
})

test('answers carry files and cards; answers for one person cards, and never files', async () => {
  const { bot, idOf, use, nextAnswer, close } = await stage()
  const file = await upload(bot, 'owl.txt', 'text/plain', new TextEncoder().encode('hoot'))
  const interaction = await use(idOf('roll'))
  const { message_id } = (await answer(bot, interaction, { kind: 'message', file_ids: [file.id] })).body
  expect((await bob.get(`/api/messages/${message_id}`)).body.files).toMatchObject([{ filename: 'owl.txt' }])
  const quiet = await use(idOf('roll'))
  const card = { title: 'Owls', image: { url: 'https://example.org/owl.png' } }
  expect((await answer(bot, quiet, { kind: 'message', ephemeral: true, embeds: [card] })).status).toBe(201)
  expect((await nextAnswer(quiet.id, 'ephemeral')).embeds).toMatchObject([{ title: 'Owls', image: null }])
  const follow = { token: quiet.token, ephemeral: true, content: 'x', file_ids: [file.id] }
  expect((await bot.post(`/api/interactions/${quiet.id}/follow-ups`, follow)).status).toBe(422)
  const own = await upload(bob, 'own.txt', 'text/plain', new TextEncoder().encode('mine'))
  const stolen = { token: quiet.token, content: 'x', file_ids: [own.id] }
  expect((await bot.post(`/api/interactions/${quiet.id}/follow-ups`, stolen)).status).toBe(422)
  close()
})

test('a select takes only its own options and existing things, on a message and for one person', async () => {
  const here = await stage()
  const { bot, idOf, use, channel_id, everyone, server_id, close } = here
  const rows = [
    [select('letter', 'string', letters)],
    [select('who', 'user', { max: 2 })],
    [select('role', 'role')],
    [select('where', 'channel')],
  ]
  const interaction = await use(idOf('roll'))
  const { message_id } = (await answer(bot, interaction, { kind: 'message', components: rows })).body
  const quiet = await whispered(here, rows)
  const elsewhere = await place(mallory)
  const response = await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })
  await alice.put(`/api/channels/${response.body.id}/permissions/${everyone}`, { deny: bitOf('view_channel') })
  const tries: [string, (number | string)[], number][] = [
    ['letter', ['a'], 201],
    ['letter', ['b'], 422],
    ['letter', [], 422],
    ['who', [alice.id, bob.id], 201],
    ['who', [mallory.id], 422],
    ['who', [alice.id, mallory.id], 422],
    ['who', ['x'], 422],
    ['who', [alice.id, bob.id, bot.id], 422],
    ['role', [everyone], 201],
    ['role', [elsewhere.everyone], 422],
    ['where', [channel_id], 201],
    ['where', [response.body.id], 422],
    ['where', [elsewhere.channel_id], 422],
    ['none', ['a'], 404],
  ]
  for (const [custom_id, values, status] of tries)
    for (const on of [{ message_id }, { interaction_id: quiet.id }]) {
      const draft = { kind: 'component', ...on, custom_id, values: values.map(String) }
      expect([custom_id, values, (await bob.post('/api/interactions', draft)).status]).toEqual([
        custom_id,
        values,
        status,
      ])
    }
  close()
})

test('subcommands have options of their own, and files reach the bot by an address that opens', async () => {
  const { bot, idOf, use, ask, nextAnswer, close } = await stage({
    name: 'bird',
    description: 'Keeps birds',
    subcommands: [
      { name: 'add', description: 'Adds one', options: [option('picture', 'attachment', { required: true })] },
      { name: 'list', description: 'Lists them', options: [option('all', 'boolean'), option('size', 'number')] },
    ],
  })
  const bytes = new TextEncoder().encode('An osprey')
  const [file, foreign] = [
    await upload(bob, 'osprey.txt', 'text/plain', bytes),
    await upload(alice, 'other.txt', 'text/plain', bytes),
  ]
  const id = idOf('bird')
  for (const more of [
    {},
    { subcommand: 'remove' },
    { subcommand: 'add' },
    { subcommand: 'add', options: { all: true } },
    { subcommand: 'add', options: { picture: foreign.id } },
    { subcommand: 'list', options: { size: 'large' } },
    { subcommand: 'list', target_id: bob.id },
  ])
    expect([more, (await ask(id, more)).status]).toEqual([more, 422])
  const added = await use(id, { subcommand: 'add', options: { picture: file.id } })
  expect(added).toMatchObject({ subcommand: 'add', command: { name: 'bird' }, attachments: [{ id: file.id }] })
  expect(await (await fetch(added.attachments[0].download_url)).text()).toBe('An osprey')
  const listed = await use(id, { subcommand: 'list', options: { all: false, size: 1.5 } })
  expect(listed.options).toEqual({ all: false, size: 1.5 })
  await answer(bot, listed, { kind: 'message', content: 'None' })
  const { message_id } = await nextAnswer(listed.id, 'message')
  expect((await bob.get(`/api/messages/${message_id}`)).body.data.answering.name).toBe('bird list')
  close()
})

test('context commands are used on messages that the person reads there and on people who are there', async () => {
  const { bot, idOf, ask, use, channel_id, server_id, everyone, close } = await stage(
    { name: 'Repeat', kind: 'message' },
    { name: 'Greet', kind: 'user' },
    { name: 'roll', description: 'Rolls dice' },
  )
  const { id } = await say(alice, channel_id, 'An osprey')
  const other = await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
  const there = await say(alice, other.body.id, 'A heron')
  const elsewhere = await place(mallory)
  const unseen = await say(mallory, elsewhere.channel_id, 'A secret')
  const direct = await write(bob, alice, 'Hello')
  const tries: [string, number | null, number][] = [
    ['Repeat', id, 201],
    ['Repeat', there.id, 404],
    ['Repeat', unseen.id, 404],
    ['Repeat', direct.id, 404],
    ['Repeat', 2 ** 40, 404],
    ['Repeat', null, 422],
    ['Greet', alice.id, 201],
    ['Greet', bot.id, 201],
    ['Greet', mallory.id, 404],
    ['Greet', 2 ** 40, 404],
    ['Greet', null, 422],
    ['roll', id, 422],
  ]
  for (const [name, target_id, status] of tries)
    expect([name, target_id, (await ask(idOf(name), { target_id })).status]).toEqual([name, target_id, status])
  expect(await use(idOf('Repeat'), { target_id: id })).toMatchObject({ target_id: id, command: { kind: 'message' } })
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: bitOf('read_history') })
  expect((await ask(idOf('Repeat'), { target_id: id })).status).toBe(403)
  close()
})
