import { expect, test } from 'bun:test'
import { textFor } from '../../../src/features/interactions/localised.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

const roll = {
  name: 'roll',
  name_localizations: { de: 'wuerfeln', 'pt-BR': 'rolar' },
  description: 'Rolls dice',
  description_localizations: { de: 'Wirft Würfel' },
  subcommands: [
    {
      name: 'many twice',
      name_localizations: { de: 'viele zweimal' },
      description: 'Rolls twice',
      options: [
        {
          name: 'sides',
          name_localizations: { de: 'seiten' },
          description: 'Of each',
          description_localizations: { de: 'Von jedem' },
          type: 'string',
          choices: [{ name: 'Six', name_localizations: { de: 'Sechs' }, value: '6' }],
        },
      ],
    },
  ],
}

test('a text is chosen for a locale, then its language, then another form of the language', () => {
  const texts = { de: 'a', 'en-GB': 'b', 'en-US': 'c', 'pt-BR': 'd' }
  const chosen = (locale: string) => Object.values(textFor(texts, locale) ?? {})[0]
  expect(['de', 'de-AT', 'en-US', 'EN-us', 'en', 'pt', 'fr', 'd'].map(chosen)).toEqual([
    'a',
    'a',
    'c',
    'c',
    'b',
    'd',
    undefined,
    undefined,
  ])
  expect(textFor(undefined, 'de')).toBeUndefined()
  expect(textFor({ de: 'a' }, '__proto__')).toBeUndefined()
})

test('commands are listed with the texts of one language, or with all, and keep their names', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const put = await bot.put('/api/applications/@me/commands', [roll])
  expect([put.status, put.body.errors]).toEqual([200, undefined])
  expect((await bot.get('/api/applications/@me/commands')).body).toMatchObject([roll])
  const listed = async (query: string) => (await bob.get(`/api/channels/${channel_id}/commands${query}`)).body[0]
  expect(await listed('')).toMatchObject(roll)
  const german = await listed('?locale=de-AT')
  expect(german).toMatchObject({
    name: 'roll',
    name_localizations: { 'de-AT': 'wuerfeln' },
    description_localizations: { 'de-AT': 'Wirft Würfel' },
    subcommands: [{ name: 'many twice', name_localizations: { 'de-AT': 'viele zweimal' } }],
  })
  expect(german.subcommands[0].options[0]).toMatchObject({
    name: 'sides',
    name_localizations: { 'de-AT': 'seiten' },
    choices: [{ name: 'Six', name_localizations: { 'de-AT': 'Sechs' }, value: '6' }],
  })
  expect(JSON.stringify(await listed('?locale=fr'))).not.toContain('localizations')
  expect((await bob.get(`/api/channels/${channel_id}/commands?locale=${'x'.repeat(40)}`)).status).toBe(422)
  const command = { command_id: put.body[0].id, subcommand: 'many twice', options: { sides: '6' } }
  expect((await bob.post('/api/interactions', { kind: 'command', channel_id, ...command })).status).toBe(201)
  const wrong = { ...command, subcommand: 'viele zweimal' }
  expect((await bob.post('/api/interactions', { kind: 'command', channel_id, ...wrong })).status).toBe(422)
})

test('localisations that are too many, too long or no names are refused, and nothing changes', async () => {
  const bot = await botOf(alice, 'Dice')
  const put = (draft: object) => bot.put('/api/applications/@me/commands', [draft])
  expect((await put(roll)).status).toBe(200)
  const locales = Array.from(
    { length: 41 },
    (_, n) => `a${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
  )
  for (const draft of [
    { ...roll, name_localizations: { de: 'Zwei Wörter' } },
    { ...roll, name_localizations: { de: 'x'.repeat(33) } },
    { ...roll, name_localizations: { 'not a locale': 'x' } },
    { ...roll, description_localizations: { de: '' } },
    { ...roll, name_localizations: Object.fromEntries(locales.map((locale) => [locale, 'x'])) },
    { ...roll, contexts: [] },
    { ...roll, contexts: ['group'] },
    { kind: 'user', name: 'Who', description_localizations: { de: 'Wer' } },
  ])
    expect((await put(draft)).status).toBe(422)
  expect((await bot.get('/api/applications/@me/commands')).body).toMatchObject([roll])
})

test('a command is offered and taken only in its contexts', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const plain = { description: 'Of a test' }
  const put = await bot.put('/api/applications/@me/commands', [
    { ...plain, name: 'everywhere' },
    { ...plain, name: 'here', contexts: ['server'] },
    { ...plain, name: 'whispered', contexts: ['dm'] },
  ])
  expect(put.status).toBe(200)
  const hello = await bob.post('/api/dm/messages', { recipient_id: bot.id, content: 'Hello' })
  const listed = async (id: number) =>
    (await bob.get(`/api/channels/${id}/commands`)).body.map(({ name }: { name: string }) => name)
  expect(await listed(channel_id)).toEqual(['everywhere', 'here'])
  expect(await listed(hello.body.channel_id)).toEqual(['everywhere', 'whispered'])
  const idOf = (name: string) => put.body.find((each: any) => each.name === name).id
  const use = (id: number, name: string) =>
    bob.post('/api/interactions', { kind: 'command', channel_id: id, command_id: idOf(name) })
  expect((await use(channel_id, 'whispered')).status).toBe(404)
  expect((await use(hello.body.channel_id, 'here')).status).toBe(404)
  expect((await use(hello.body.channel_id, 'whispered')).status).toBe(201)
})
