import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

test('a person sees and uses the commands of bots in their language, and the bot gets the original names', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const bot = await botOf(ann, 'Dice')
  await addBot(ann, server_id, bot)
  const texts = { 'en-US': 'dice', de: 'wuerfeln' }
  const put = await bot.put('/api/applications/@me/commands', [
    {
      name: 'roll',
      name_localizations: texts,
      description: 'Rolls',
      description_localizations: { 'en-US': 'Throws some dice', de: 'Wirft Würfel' },
      options: [
        {
          name: 'sides',
          name_localizations: { 'en-US': 'faces' },
          description: 'Of each',
          description_localizations: { 'en-US': 'How many it has' },
          type: 'string',
          required: true,
          choices: [{ name: 'Six', name_localizations: { 'en-US': 'Half a dozen' }, value: '6' }],
        },
      ],
    },
  ])
  expect([put.status, put.body.errors]).toEqual([200, undefined])
  const botSocket = await connect(bot)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const box = page.composer()
  await box.fill('/di')
  await page.sees(page.getByRole('option', { name: /dice.*Throws some dice/ }))
  await box.press('Enter')
  await page.sees('How many it has')
  const field = page.getByRole('combobox', { name: /faces/ })
  await page.sees(field)
  await field.selectOption('Half a dozen')
  await page.button(/dice/).last().click()
  const { d } = await botSocket.next('interaction.created')
  expect(d).toMatchObject({ command: { name: 'roll' }, options: { sides: '6' } })
  botSocket.close()
  await page.leave()
})

test('a person fills in a form with texts and selects, and the bot gets what was chosen', async () => {
  const [eve, bob] = [await person(parley, 'eve'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(eve, bob)
  const bot = await botOf(eve, 'Former')
  await addBot(eve, server_id, bot)
  await bot.put('/api/applications/@me/commands', [{ name: 'form', description: 'Shows a form' }])
  const botSocket = await connect(bot)
  const page = await Page.as(eve, `/app/servers/${server_id}/channels/${channel_id}`)
  const box = page.composer()
  await box.fill('/form')
  await page.sees(page.getByRole('option', { name: /form/ }))
  await box.press('Enter')
  const command = (await botSocket.next('interaction.created')).d
  const options = ['owl', 'wren', 'hawk'].map((value) => ({ label: value.toUpperCase(), value }))
  const inputs = [
    { custom_id: 'note', label: 'Note', description: 'A few words' },
    { custom_id: 'bird', label: 'Bird', above: 'Choose **well**', select: { options, chosen: ['wren'] } },
    { custom_id: 'whom', label: 'Whom', required: false, select: { of: 'user' } },
  ]
  const modal = { custom_id: 'form', title: 'A form', inputs, below: 'Thank you' }
  const answer = { kind: 'modal', token: command.token, modal }
  const answered = await bot.post(`/api/interactions/${command.id}/answer`, answer)
  expect([answered.status, answered.body.errors]).toEqual([201, undefined])
  const dialog = page.getByRole('dialog', { name: 'A form' })
  for (const text of ['A few words', 'well', 'Thank you']) await page.sees(text)
  await dialog.getByLabel('Note').fill('Hello')
  await dialog.getByLabel('Bird').selectOption('OWL')
  await dialog.getByLabel('Whom').selectOption(bob.display_name)
  await dialog.getByRole('button', { name: 'Send' }).click()
  const { d } = await botSocket.next('interaction.created', (frame) => frame.d.kind === 'modal')
  expect([d.fields, d.choices]).toEqual([
    { note: 'Hello' },
    { bird: { of: 'string', values: ['owl'] }, whom: { of: 'user', values: [`${bob.id}`] } },
  ])
  botSocket.close()
  await page.leave()
})

test('many roles of a form are found by name and kept until pressed; its texts have names', async () => {
  const [eve, bob] = [await person(parley, 'eve'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(eve, bob)
  const ids: number[] = []
  for (let n = 0; n < 26; n++)
    ids.push(
      (await eve.post(`/api/servers/${server_id}/roles`, { name: `Ring ${String.fromCodePoint(65 + n)}` })).body.id,
    )
  const bot = await botOf(eve, 'Former')
  await addBot(eve, server_id, bot)
  await bot.put('/api/applications/@me/commands', [{ name: 'form', description: 'Shows a form' }])
  const botSocket = await connect(bot)
  const page = await Page.as(eve, `/app/servers/${server_id}/channels/${channel_id}`)
  const box = page.composer()
  await box.fill('/form')
  await page.sees(page.getByRole('option', { name: /form/ }))
  await box.press('Enter')
  const { id, token } = (await botSocket.next('interaction.created')).d
  const select = { of: 'role', max: 2 }
  const inputs = [{ custom_id: 'rings', label: 'Rings', above: `**Well**, <@${bob.id}>`, select }]
  const modal = { custom_id: 'form', title: 'A form', inputs }
  expect((await bot.post(`/api/interactions/${id}/answer`, { kind: 'modal', token, modal })).status).toBe(201)
  const dialog = page.getByRole('dialog', { name: 'A form' })
  expect(await dialog.locator('.form-text').textContent()).toBe(`Well, @${bob.display_name}`)
  // By keyboard.
  const field = dialog.getByRole('combobox', { name: 'Rings' })
  for (const letter of ['Q', 'C']) {
    await field.fill(`ring ${letter}`)
    await page.sees(dialog.getByRole('option', { name: `Ring ${letter}` }))
    await field.press('Enter')
    await page.sees(dialog.getByRole('button', { name: `Ring ${letter}` }))
  }
  await dialog.getByText('Rings *').tap()
  await dialog.getByRole('button', { name: 'Send' }).click()
  const { d } = await botSocket.next('interaction.created', (frame) => frame.d.kind === 'modal')
  expect(d.choices.rings.values).toEqual([`${ids[16]}`, `${ids[2]}`])
  botSocket.close()
  await page.leave()
})
