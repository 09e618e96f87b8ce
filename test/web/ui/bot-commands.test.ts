import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import type { Locator } from '../../support/page/locator.ts'
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

/** A bot in a server of two people, on a page of the first one. */
async function formerOnPage() {
  const [eve, bob] = [await person(parley, 'eve'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(eve, bob)
  const bot = await botOf(eve, 'Former')
  await addBot(eve, server_id, bot)
  await bot.put('/api/applications/@me/commands', [{ name: 'form', description: 'Shows a form' }])
  const botSocket = await connect(bot)
  const page = await Page.as(eve, `/app/servers/${server_id}/channels/${channel_id}`)
  /** Uses the command, to which the bot answers with a form. @returns the form's dialog */
  const showForm = async (form: object) => {
    const box = page.composer()
    await box.fill('/form')
    await page.sees(page.getByRole('option', { name: /form/ }))
    await box.press('Enter')
    const { id, token } = (await botSocket.next('interaction.created')).d
    const modal = { custom_id: 'form', title: 'A form', ...form }
    const answered = await bot.post(`/api/interactions/${id}/answer`, { kind: 'modal', token, modal })
    expect([answered.status, answered.body.errors]).toEqual([201, undefined])
    return page.getByRole('dialog', { name: 'A form' })
  }
  const leave = async () => {
    botSocket.close()
    await page.leave()
  }
  return { eve, bob, server_id, channel_id, bot, botSocket, page, showForm, leave }
}

test('a person fills in a form with texts and selects, and the bot gets what was chosen', async () => {
  const { bob, botSocket, page, showForm, leave } = await formerOnPage()
  const options = ['owl', 'wren', 'hawk'].map((value) => ({ label: value.toUpperCase(), value }))
  const inputs = [
    { custom_id: 'note', label: 'Note', description: 'A few words' },
    { custom_id: 'bird', label: 'Bird', above: 'Choose **well**', select: { options, chosen: ['wren'] } },
    { custom_id: 'whom', label: 'Whom', required: false, select: { of: 'user' } },
  ]
  const dialog = await showForm({ inputs, below: 'Thank you' })
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
  await leave()
})

test('many roles are found by name and kept until pressed, in a form and below a message', async () => {
  const { eve, bob, server_id, channel_id, bot, botSocket, page, showForm, leave } = await formerOnPage()
  const ids: number[] = []
  for (let n = 0; n < 26; n++) {
    const name = `Ring ${String.fromCodePoint(65 + n)}`
    ids.push((await eve.post(`/api/servers/${server_id}/roles`, { name })).body.id)
  }
  /** Chooses roles by keyboard, of which the select takes two, and takes one of them back. */
  const chooseRings = async (area: Locator) => {
    const field = area.getByRole('combobox', { name: 'Rings' })
    const ring = (letter: string) => area.getByRole('button', { name: `Ring ${letter}` })
    const choose = async (letter: string) => {
      await field.fill(`ring ${letter}`)
      await page.sees(area.getByRole('option', { name: `Ring ${letter}` }))
      await field.press('Enter')
    }
    for (const letter of ['Q', 'C', 'D']) await choose(letter)
    await page.sees(ring('C'))
    expect(await ring('D').count()).toBe(0)
    await ring('Q').click()
    await page.misses(ring('Q'))
    await choose('E')
    await page.sees(ring('E'))
  }
  const chosen = [`${ids[2]}`, `${ids[4]}`]
  const select = { of: 'role', max: 2 }
  const dialog = await showForm({
    inputs: [{ custom_id: 'rings', label: 'Rings', above: `**Well**, <@${bob.id}>`, select }],
  })
  expect(await dialog.locator('.form-text').textContent()).toBe(`Well, @${bob.display_name}`)
  await chooseRings(dialog)
  await dialog.getByText('Rings *').tap()
  await dialog.getByRole('button', { name: 'Send' }).click()
  const submitted = await botSocket.next('interaction.created', ({ d }) => d.kind === 'modal')
  expect(submitted.d.choices.rings.values).toEqual(chosen)
  const menu = { type: 'select', custom_id: 'rings', placeholder: 'Rings', ...select }
  const posted = await bot.post(`/api/channels/${channel_id}/messages`, { content: 'Choose', components: [[menu]] })
  expect([posted.status, posted.body.errors]).toEqual([201, undefined])
  const below = page.locator('.components')
  await page.sees(below)
  await chooseRings(below)
  await below.getByRole('button', { name: 'Send' }).click()
  const used = await botSocket.next('interaction.created', ({ d }) => d.kind === 'component')
  expect(used.d.values).toEqual(chosen)
  await leave()
})

test('a chosen role that is deleted keeps its name until it is taken back, and too few are not sent', async () => {
  const { eve, server_id, botSocket, page, showForm, leave } = await formerOnPage()
  const ids: number[] = []
  for (let n = 0; n < 27; n++)
    ids.push((await eve.post(`/api/servers/${server_id}/roles`, { name: `Ring ${100 + n}` })).body.id)
  const inputs = [
    { custom_id: 'rings', label: 'Rings', select: { of: 'role', min: 2, max: 3 } },
    { custom_id: 'one', label: 'One', required: false, select: { of: 'role' } },
  ]
  const dialog = await showForm({ inputs })
  const option = (name: string) => dialog.getByRole('option', { name })
  const choose = async (label: string, name: string) => {
    const field = dialog.getByRole('combobox', { name: label })
    await field.fill(name)
    await page.sees(option(name))
    await field.press('Enter')
    await page.misses(option(name))
  }
  const complaint = () =>
    dialog
      .getByRole('combobox', { name: 'Rings' })
      .evaluate<HTMLInputElement, undefined, string>((field) => field.validationMessage)
  await choose('Rings', 'Ring 102')
  expect(await complaint()).toBe('Choose at least 2 and at most 3.')
  await choose('Rings', 'Ring 104')
  expect(await complaint()).toBe('')
  await choose('One', 'Ring 104')
  expect((await eve.delete(`/api/roles/${ids[4]}`)).status).toBe(204)
  await dialog.getByRole('combobox', { name: 'Rings' }).fill('Ring 105')
  await page.sees(option('Ring 105'))
  await dialog.getByRole('combobox', { name: 'Rings' }).fill('Ring 104')
  await page.misses(option('Ring 104'))
  const ring = dialog.getByRole('button', { name: 'Ring 104' })
  await page.sees(ring)
  expect(await dialog.getByRole('combobox', { name: 'One' }).inputValue()).toBe('Ring 104')
  await ring.click()
  await page.misses(ring)
  await choose('Rings', 'Ring 106')
  await choose('One', 'Ring 107')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const { d } = await botSocket.next('interaction.created', (frame) => frame.d.kind === 'modal')
  expect([d.choices.rings.values, d.choices.one.values]).toEqual([[`${ids[2]}`, `${ids[6]}`], [`${ids[7]}`]])
  await leave()
})
