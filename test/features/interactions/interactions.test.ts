import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { botOf } from '../../support/bots.ts'
import { type Person, standard } from '../../support/harness.ts'
import { passersBy, write } from '../../support/people.ts'
import { answer, button, option, stageOf } from '../../support/interactions.ts'
import { place } from '../../support/places.ts'
import { connect, newestS } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')

const stage = stageOf(alice, bob)

const hide = async (channel_id: number, everyone: number, bit: 'view_channel' | 'send_messages') => {
  const denied = await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions(bit) })
  expect(denied.status).toBe(200)
}
/** A channel of alice's server that only she sees. */
async function hidden(server_id: number, everyone: number): Promise<number> {
  const response = await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })
  await hide(response.body.id, everyone, 'view_channel')
  return response.body.id
}

test('a command reaches only its bot, and the bot’s answer appears in the channel with its caller', async () => {
  const { bot, idOf, use, nextAnswer, seen, channel_id, server_id, close } = await stage({
    name: 'roll',
    description: 'Rolls dice',
    options: [option('sides', 'integer', { min: 2, max: 100 })],
  })
  const watching = await connect(alice)
  const interaction = await use(idOf('roll'), { options: { sides: 6 }, locale: 'de' })
  expect(interaction).toMatchObject({
    kind: 'command',
    channel_id,
    server_id,
    user: { id: bob.id },
    locale: 'de',
    command: { name: 'roll', kind: 'chat' },
    options: { sides: 6 },
  })
  const response = await answer(bot, interaction, { kind: 'message', content: 'A 5', components: [[button('again')]] })
  expect(response.status).toBe(201)
  const { d } = await seen.next('message.created', (frame) => frame.d.id === response.body.message_id)
  expect(d).toMatchObject({
    content: 'A 5',
    author: { id: bot.id, kind: 'bot' },
    data: { components: [[{ custom_id: 'again', style: 'secondary' }]], answering: { name: 'roll', user_id: bob.id } },
  })
  expect((await nextAnswer(interaction.id, 'message')).message_id).toBe(d.id)
  const [message] = (await alice.get(`/api/channels/${channel_id}/messages?limit=1`)).body
  expect(message.data).toEqual(d.data)
  await watching.settled()
  expect(watching.frames.filter(({ t }) => t.startsWith('interaction.'))).toEqual([])
  watching.close()
  close()
})

test('an ephemeral answer reaches only its person and is in no history, log, search or resume', async () => {
  const { bot, idOf, use, nextAnswer, channel_id, seen, close } = await stage()
  const watching = await connect(alice)
  const s = newestS(seen)
  const interaction = await use(idOf('roll'))
  const secret = `nightingale${Date.now()}`
  const draft = { kind: 'message', ephemeral: true, content: secret, components: [[button('quiet')]] }
  expect((await answer(bot, interaction, draft)).body).toEqual({ message_id: null })
  expect(await nextAnswer(interaction.id, 'ephemeral')).toMatchObject({ content: secret, bot: { id: bot.id } })
  const more = { token: interaction.token, ephemeral: true, content: `${secret} again` }
  expect((await bot.post(`/api/interactions/${interaction.id}/follow-ups`, more)).status).toBe(201)
  await parley.sweep()
  const resumed = await connect(bob, `&s=${s}`)
  await watching.settled()
  const written = JSON.stringify([
    resumed.frames,
    watching.frames,
    (await bob.get(`/api/channels/${channel_id}/messages`)).body,
    (await bob.get(`/api/search?q=${secret}`)).body.messages,
    await sql`select * from events where body::text like ${`%${secret}%`}`,
    await sql`select * from interactions where id = ${interaction.id}`,
  ])
  expect(written).not.toContain(secret)
  // Its button works only for the person who sees it.
  const press = { kind: 'component', interaction_id: interaction.id, custom_id: 'quiet' }
  expect((await alice.post('/api/interactions', press)).status).toBe(404)
  expect((await bob.post('/api/interactions', { ...press, custom_id: 'other' })).status).toBe(404)
  expect((await bob.post('/api/interactions', press)).status).toBe(201)
  for (const gateway of [resumed, watching]) gateway.close()
  close()
})

test('only the addressed bot answers, with the right token, once, and in time', async () => {
  const { bot, idOf, use, close } = await stage()
  const other = await botOf(mallory, 'Thief')
  const [interaction, late] = [await use(idOf('roll')), await use(idOf('roll'))]
  const draft = { kind: 'message', content: 'Stolen' }
  const refused = [
    await answer(other, interaction, draft),
    await answer(alice, interaction, draft),
    await answer(bot, { ...interaction, token: late.token }, draft),
    await other.post(`/api/interactions/${interaction.id}/follow-ups`, { token: interaction.token, content: 'Stolen' }),
    // A follow-up is refused before the first answer.
    await bot.post(`/api/interactions/${interaction.id}/follow-ups`, { token: interaction.token, content: 'Early' }),
    await bot.put(`/api/interactions/${interaction.id}/answer`, { token: interaction.token, content: 'Early' }),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([410, 'interaction_gone'])
  const racing = await Promise.all(Array.from({ length: 5 }, () => answer(bot, interaction, draft)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 410, 410, 410, 410])
  await sql`update interactions set created_at = now() - interval '4 seconds' where id = ${late.id}`
  expect((await answer(bot, late, draft)).body.code).toBe('interaction_gone')
  const follow = { token: interaction.token, content: 'More' }
  expect((await bot.post(`/api/interactions/${interaction.id}/follow-ups`, follow)).status).toBe(201)
  await sql`update interactions set created_at = now() - interval '16 minutes' where id = ${interaction.id}`
  expect((await bot.post(`/api/interactions/${interaction.id}/follow-ups`, follow)).body.code).toBe('interaction_gone')
  close()
})

test('a deferred answer comes later, components update their message, and modals come back filled in', async () => {
  const { bot, idOf, use, begin, nextAnswer, seen, close } = await stage()
  const slow = await use(idOf('roll'))
  expect((await answer(bot, slow, { kind: 'deferred' })).body).toEqual({ message_id: null })
  await nextAnswer(slow.id, 'deferred')
  const common = {
    token: slow.token,
    content: 'At last',
    components: [[button('more')], [{ type: 'select', custom_id: 'pick', options: [{ label: 'A', value: 'a' }] }]],
  }
  const { message_id } = (await bot.put(`/api/interactions/${slow.id}/answer`, common)).body
  await seen.next('message.created', ({ d }) => d.id === message_id)
  const wrong = [
    { custom_id: 'none' },
    { custom_id: 'pick', values: ['b'] },
    { custom_id: 'pick', values: ['a', 'a'] },
    { custom_id: 'more', values: ['a'] },
  ]
  for (const draft of wrong)
    expect((await bob.post('/api/interactions', { kind: 'component', message_id, ...draft })).status).toBeOneOf([
      404, 422,
    ])
  expect((await mallory.post('/api/interactions', { kind: 'component', message_id, custom_id: 'more' })).status).toBe(
    404,
  )
  const picked = await begin({ kind: 'component', message_id, custom_id: 'pick', values: ['a'] })
  expect(picked).toMatchObject({ custom_id: 'pick', values: ['a'], message_id })
  expect((await answer(bot, picked, { kind: 'update', content: 'Picked', components: [] })).body).toEqual({
    message_id,
  })
  await seen.next('message.updated', ({ d }) => d.id === message_id && d.content === 'Picked')
  expect((await bob.get(`/api/messages/${message_id}`)).body.data.components).toEqual([])
  // Removed components no longer work.
  expect((await bob.post('/api/interactions', { kind: 'component', message_id, custom_id: 'more' })).status).toBe(404)

  const form = await use(idOf('roll'))
  const modal = { custom_id: 'poll', title: 'A poll', inputs: [{ custom_id: 'question', label: 'Question' }] }
  expect((await answer(bot, form, { kind: 'modal', modal })).status).toBe(201)
  expect((await nextAnswer(form.id, 'modal')).modal).toMatchObject(modal)
  const filled = { kind: 'modal', interaction_id: form.id, custom_id: 'poll', values: { question: 'Owls?' } }
  expect((await alice.post('/api/interactions', filled)).status).toBe(404)
  expect((await bob.post('/api/interactions', { ...filled, values: { other: 'x' } })).status).toBe(422)
  expect((await begin(filled)).fields).toEqual({ question: 'Owls?' })
  close()
})

test('options are checked by type, bounds and choices, and name nothing that the person does not see', async () => {
  const { idOf, ask, begin, nextAnswer, bot, channel_id, server_id, everyone, close } = await stage({
    name: 'all',
    description: 'Takes everything',
    options: [
      option('text', 'string', { required: true, max: 3, autocomplete: true }),
      option('pick', 'integer', { choices: [{ name: 'One', value: 1 }] }),
      option('who', 'user'),
      option('where', 'channel'),
      option('role', 'role'),
      option('on', 'boolean'),
    ],
  })
  const elsewhere = await place(mallory)
  const staffOnly = await hidden(server_id, everyone)
  const wrong: object[] = [
    {},
    { text: 'four' },
    { text: 'ok', pick: 2 },
    { text: 'ok', pick: 1.5 },
    { text: 'ok', on: 'yes' },
    { text: 'ok', who: 2 ** 40 },
    { text: 'ok', where: elsewhere.channel_id },
    { text: 'ok', where: staffOnly },
    { text: 'ok', role: elsewhere.everyone },
    { text: 'ok', unknown: 1 },
  ]
  for (const options of wrong) expect([options, (await ask(idOf('all'), { options })).status]).toEqual([options, 422])
  expect((await ask(idOf('all'), { options: { text: 'ok', pick: 1, who: bob.id, where: channel_id } })).status).toBe(
    201,
  )
  const typing = { kind: 'autocomplete', channel_id, command_id: idOf('all'), options: { text: 'lo' }, focused: 'text' }
  expect((await bob.post('/api/interactions', { ...typing, focused: 'pick' })).status).toBe(422)
  const interaction = await begin(typing)
  expect((await answer(bot, interaction, { kind: 'choices', choices: [{ name: 'Low', value: 'low' }] })).status).toBe(
    201,
  )
  expect((await nextAnswer(interaction.id, 'choices')).choices).toEqual([{ name: 'Low', value: 'low' }])
  close()
})

test('an optional option may be omitted even if its name is one that every object has', async () => {
  const names = ['constructor', '__proto__']
  const { idOf, ask, use, close } = await stage(
    { name: 'free', description: 'Needs nothing', options: names.map((name) => option(name, 'string')) },
    ...names.map((name, at) => ({
      name: `needs${at}`,
      description: 'Needs one',
      options: [option(name, 'string', { required: true })],
    })),
  )
  expect((await use(idOf('free'))).options).toEqual({})
  const options = (await use(idOf('free'), { options: { constructor: 'Bob' } })).options
  expect(Object.entries(options)).toEqual([['constructor', 'Bob']])
  for (const at of names.keys()) {
    const { status, body } = await ask(idOf(`needs${at}`))
    expect([status, body.errors[0]?.message]).toEqual([422, 'Is required'])
  }
  close()
})

test('commands are offered where the bot sees the channel and the person may use them, and nowhere else', async () => {
  const { bot, idOf, ask, channel_id, server_id, everyone, close } = await stage(
    { name: 'open', description: 'For all' },
    { name: 'staff', description: 'For some', default_permissions: permissions('kick_members') },
  )
  const names = async (who: Person, id = channel_id) =>
    (await who.get(`/api/channels/${id}/commands`)).body.map(({ name }: any) => name)
  expect(await names(alice)).toEqual(['open', 'staff'])
  expect(await names(bob)).toEqual(['open'])
  expect((await ask(idOf('staff'))).status).toBe(404)
  // A bot gets no interactions from servers without it.
  const elsewhere = await place(bob)
  expect((await ask(idOf('open'), { channel_id: elsewhere.channel_id })).status).toBe(404)
  const staffOnly = await hidden(server_id, everyone)
  expect((await ask(idOf('open'), { channel_id: staffOnly }, alice)).status).toBe(404)
  await sql`update roles set permissions = permissions & ~permission_bit('use_commands') where id = ${everyone}`
  expect((await ask(idOf('open'))).body.code).toBe('missing_permission')
  expect(await names(bob)).toEqual([])
  // Commands of one server work only there.
  const own = await bot.put(`/api/applications/@me/commands?server_id=${server_id}`, [
    { name: 'here', description: 'Here' },
  ])
  expect(own.status).toBe(200)
  expect(await names(alice)).toEqual(['here', 'open', 'staff'])
  const foreign = await bot.put(`/api/applications/@me/commands?server_id=${elsewhere.server_id}`, [])
  expect(foreign.status).toBe(404)
  // A dm with the bot offers its own commands.
  await write(bob, bot, 'Hello')
  const direct = await bob.post('/api/channels/direct', { recipient_ids: [bot.id] })
  expect(await names(bob, direct.body.id)).toEqual(['open', 'staff'].slice(0, 1))
  close()
})

test('a bot without the right to write sends no public answer beyond its permissions', async () => {
  const { bot, idOf, use, channel_id, everyone, close } = await stage()
  await hide(channel_id, everyone, 'send_messages')
  const interaction = await use(idOf('roll'))
  const response = await answer(bot, interaction, { kind: 'message', content: 'Through the back door' })
  expect([response.status, response.body.code]).toEqual([403, 'missing_permission'])
  const quiet = { kind: 'message', ephemeral: true, content: 'I may not write here' }
  expect((await answer(bot, interaction, quiet)).status).toBe(201)
  const components = [[button('a')]]
  expect((await alice.post(`/api/channels/${channel_id}/messages`, { content: 'x', components })).status).toBe(422)
  close()
})

test('a bot that may no longer write or has left changes no components and sends nothing', async () => {
  const { bot, idOf, use, begin, channel_id, server_id, everyone, close } = await stage()
  const first = await use(idOf('roll'))
  const response = await answer(bot, first, { kind: 'message', content: 'Choose', components: [[button('a')]] })
  const { message_id } = response.body
  const [pressed, quiet, form] = [
    await begin({ kind: 'component', message_id, custom_id: 'a' }),
    await use(idOf('roll')),
    await use(idOf('roll')),
  ]
  await hide(channel_id, everyone, 'send_messages')
  const update = await answer(bot, pressed, { kind: 'update', components: [[button('b')]] })
  expect([update.status, update.body.code]).toEqual([403, 'missing_permission'])
  expect((await bob.get(`/api/messages/${message_id}`)).body.data.components[0][0].custom_id).toBe('a')
  expect((await alice.delete(`/api/servers/${server_id}/members/${bot.id}`)).status).toBe(204)
  const modal = { custom_id: 'poll', title: 'A poll', inputs: [{ custom_id: 'question', label: 'Question' }] }
  expect((await answer(bot, form, { kind: 'modal', modal })).status).toBe(404)
  expect((await answer(bot, quiet, { kind: 'message', ephemeral: true, content: 'Still here' })).status).toBe(404)
  close()
})

test('a blocked bot sends nothing in private', async () => {
  const { bot, idOf, begin, close } = await stage()
  await write(bob, bot, 'Hello')
  const direct = await bob.post('/api/channels/direct', { recipient_ids: [bot.id] })
  const interaction = await begin({ kind: 'command', channel_id: direct.body.id, command_id: idOf('roll') })
  expect((await bob.post(`/api/friends/${bot.id}/block`)).status).toBe(200)
  const quiet = await answer(bot, interaction, { kind: 'message', ephemeral: true, content: 'Unwanted' })
  expect(quiet.body.code).toBe('cannot_contact')
  close()
})

test('lists of commands and components that break a rule change nothing', async () => {
  const { bot, idOf, close } = await stage()
  const roll = { name: 'roll', description: 'Rolls dice' }
  const wrong: unknown[] = [
    [roll, roll],
    [{ ...roll, name: 'Roll' }],
    [{ name: 'roll' }],
    [{ ...roll, kind: 'user' }],
    [{ ...roll, options: [option('a', 'string'), option('a', 'string')] }],
    [{ ...roll, options: [option('a', 'string'), option('b', 'string', { required: true })] }],
    [{ ...roll, options: [option('a', 'string')], subcommands: [{ name: 'b', description: 'B' }] }],
    [{ ...roll, default_permissions: 2 ** 52 }],
    Array.from({ length: 101 }, (_, n) => ({ ...roll, name: `roll${n}` })),
  ]
  for (const drafts of wrong) expect((await bot.put('/api/applications/@me/commands', drafts)).status).toBe(422)
  expect((await bot.get('/api/applications/@me/commands')).body.map(({ id }: any) => id)).toEqual([idOf('roll')])
  close()
})

test('a bot that hangs or floods holds up nobody: others get interactions and answer meanwhile', async () => {
  const [hanging, working] = [await stage(), await stage()]
  const silent = await hanging.use(hanging.idOf('roll'))
  const flood = Promise.all(
    Array.from({ length: 200 }, (_, n) => answer(hanging.bot, { id: silent.id, token: `${n}` }, { kind: 'deferred' })),
  )
  const interaction = await working.use(working.idOf('roll'))
  expect((await answer(working.bot, interaction, { kind: 'message', content: 'Here' })).status).toBe(201)
  expect((await flood).every(({ status }) => status === 410)).toBe(true)
  await sql`update interactions set created_at = now() - interval '1 hour' where id = ${silent.id}`
  await parley.sweep()
  expect(await sql`select 1 from interactions where id = ${silent.id}`).toEqual([] as never)
  hanging.close()
  working.close()
})
