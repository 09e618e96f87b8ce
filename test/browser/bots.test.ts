import { expect } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { Bot } from '../../src/web/client/bot.ts'
import { addBot, botOf } from '../support/bots.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { type Person, person, newServer, say, standard } from '../support/harness.ts'
import { passerBy, place } from '../support/places.ts'
import { png } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'people make a bot, add it to a server, see its permissions, and remove it', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, '/app')
  const { page } = visitor
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Applications', exact: true }).click()
  await visitor.button('Create application').click()
  await visitor.field('Application name').fill('Dice')
  await visitor.field('Description').fill('Rolls dice')
  await page.getByRole('dialog', { name: 'Create application' }).locator('.footer button').click()
  const token = await page.getByRole('dialog', { name: 'Dice' }).getByLabel('Token').inputValue()
  const me = await fetch(`${parley.url}/api/applications/@me`, { headers: { authorization: `Bot ${token}` } })
  const { id } = (await me.json()) as { id: number }
  expect(await faultsOf(visitor)).toEqual([])

  await page.getByRole('dialog', { name: 'Dice' }).getByRole('button', { name: 'Close' }).click()
  await visitor.button('Edit').click()
  const editor = page.getByRole('dialog', { name: 'Dice' })
  await visitor.sees(editor.getByLabel('Public key for verifying requests'))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    editor.getByRole('button', { name: 'Change picture' }).click(),
  ])
  await chooser.setFiles({ name: 'die.png', mimeType: 'image/png', buffer: Buffer.from(await png(64, 64)) })
  await visitor.sees(editor.getByRole('button', { name: 'Remove picture' }))
  expect(await faultsOf(visitor)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await visitor.misses(editor)
  await visitor.button('Reset token').click()
  const question = page.getByRole('dialog', { name: 'Reset the token of Dice?' })
  await question.getByRole('button', { name: 'Reset token' }).click()
  const renewed = page.getByRole('dialog', { name: 'Dice' }).getByLabel('Token')
  await visitor.sees(renewed)
  expect(await renewed.inputValue()).not.toBe(token)
  const { bot } = (await alice.get(`/api/applications/${id}`)).body
  expect(bot.avatar_file_id).toEqual(expect.any(Number))

  await page.goto(`${parley.url}/apps/${id}`)
  await visitor.sees(page.getByRole('heading', { name: 'Dice' }))
  await visitor.sees(page.getByText('Rolls dice'))
  await visitor.field('Add to server').selectOption({ label: 'Birdwatchers' })
  await page.getByText('Messages', { exact: true }).click()
  await visitor.field(/^Manage messages/).check()
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.button('Add Dice').click()
  await visitor.link('Go to Birdwatchers').click()
  await visitor.sees(page.locator('.members .person', { hasText: 'Dice' }).getByText('Bot', { exact: true }))
  const [added] = (await alice.get(`/api/servers/${server_id}/applications`)).body
  expect(added.application.bot.id).toBe(id)
  await page.context().close()
  expect(visitor.faults).toEqual([])
})

/** A bot that answers in every way, with alice in its server. */
async function working() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const account = await botOf(bob, 'Dice')
  await addBot(alice, server_id, account)
  const bot = new Bot({ base: parley.url, token: account.token })
  const sides = { name: 'sides', description: 'Sides of the die', type: 'integer' as const, required: true }
  bot.command('roll', { description: 'Rolls a die', options: [sides] }, (i) =>
    i.reply({
      content: `Of ${i.options.sides}`,
      components: [[{ type: 'button', label: 'Again', custom_id: 'again' }]],
    }),
  )
  bot.component('again', (i) => i.update({ content: 'Rolled again', components: [] }))
  bot.command('secret', 'Whispers', (i) => i.reply({ content: 'For your eyes', ephemeral: true }))
  bot.command('poll', 'Asks', (i) =>
    i.showModal({ custom_id: 'poll', title: 'A new poll', inputs: [{ custom_id: 'question', label: 'Question' }] }),
  )
  bot.modal('poll', (i) => i.reply(`Asked: ${i.fields.question}`))
  bot.command('Repeat', { kind: 'message' }, (i) => i.reply({ content: `Of ${i.data.target_id}`, ephemeral: true }))
  bot.command('Greet', { kind: 'user' }, (i) => i.reply({ content: `Hello ${i.data.target_id}`, ephemeral: true }))
  await bot.start()
  return { alice, bob, bot, channel_id, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

/** Uses a command from the list at the composer. */
async function useCommand(visitor: Visitor, device: 'keyboard' | 'phone', name: string): Promise<void> {
  const { page } = visitor
  const composer = visitor.composer()
  const row = page.getByRole('option', { name: `/${name}` })
  await composer.click()
  await composer.pressSequentially(device === 'phone' ? '/' : `/${name}`)
  await visitor.sees(row.first())
  if (device === 'phone') return row.first().tap()
  await visitor.until(async () => (await row.count()) === 1)
  expect(await composer.getAttribute('aria-activedescendant')).toBe(await row.getAttribute('id'))
  await composer.press('Enter')
}

/**
 * Opens the channel, and delays the answers to a bot's requests until its messages have arrived, which is the order on
 * a
 * slow machine.
 */
async function visit(chromium: Browser, alice: Person, path: string, options: BrowserContextOptions = {}) {
  const visitor = await Visitor.as(chromium, alice, '/app', options)
  const { page } = visitor
  const waiting: (() => void)[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('interaction.answered')) waiting.shift()?.()
    }),
  )
  await page.route('**/api/interactions', async (route) => {
    const answered = new Promise<void>((resolve) => waiting.push(resolve))
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  await page.goto(visitor.parley.url + path)
  return visitor
}

for (const [device, viewport] of [
  ['keyboard', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 780 }],
] as const)
  browserTest(
    browser,
    `commands, buttons, forms and quiet answers of a bot are used by ${device}`,
    async (chromium) => {
      const { alice, bot, path } = await working()
      const visitor = await visit(chromium, alice, path, { viewport, hasTouch: device === 'phone' })
      const { page } = visitor
      const use = (name: string) => useCommand(visitor, device, name)
      await use('roll')
      await visitor.sees(visitor.button('Use /roll'))
      expect(await faultsOf(visitor)).toEqual([])
      await visitor.field(/^sides/).fill('6')
      await visitor.field(/^sides/).press('Enter')
      const row = visitor.message('Of 6')
      await visitor.sees(row.getByText('used /roll'))
      // The bot's message may arrive before its request is answered.
      await visitor.until(async () => (await visitor.composer().inputValue()) === '')
      await row.getByRole('button', { name: 'Again' }).click()
      await visitor.sees(visitor.message('Rolled again'))
      await visitor.misses(visitor.button('Again'))

      await use('secret')
      const whisper = page.locator('.bot-answer', { hasText: 'For your eyes' })
      await visitor.sees(whisper.getByText('Only you can see this'))
      expect(await faultsOf(visitor)).toEqual([])
      await whisper.getByRole('button', { name: 'Dismiss' }).click()
      await visitor.misses(whisper)

      await use('poll')
      await visitor.field('Question').fill('Owls?')
      await visitor.button('Send').last().click()
      await visitor.sees(visitor.message('Asked: Owls?'))
      await visitor.misses(page.getByRole('dialog'))
      expect(await visitor.composer().evaluate((box) => box === document.activeElement)).toBe(true)
      bot.stop()
      await visitor.leave()
    },
  )

browserTest(browser, 'commands for a message and for a person are in their menus', async (chromium) => {
  const { alice, bob, bot, channel_id, path } = await working()
  const { id } = await say(bob, channel_id, 'An osprey')
  const visitor = await Visitor.as(chromium, alice, path)
  const { page } = visitor
  const search = page.getByRole('combobox', { name: 'Find a command' })
  const use = async (name: string) => {
    await page.getByRole('menuitem', { name: 'Bot commands' }).press('Enter')
    await visitor.sees(search)
    await visitor.sees(page.getByRole('option'))
    // Each menu offers only commands of its kind.
    expect(await page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining(name)])
    expect(await faultsOf(visitor)).toEqual([])
    await search.press('Enter')
    await visitor.misses(search)
  }
  await visitor.message('osprey').hover()
  await visitor.button('More actions').click()
  await use('Repeat')
  await visitor.sees(page.locator('.bot-answer', { hasText: `Of ${id}` }).getByText('Only you can see this'))
  // Until she is online, the rows move.
  const row = page.locator('.members button.online', { hasText: alice.display_name })
  await visitor.opensMenus()
  await row.focus()
  await page.keyboard.press('ContextMenu')
  await use('Greet')
  await visitor.sees(page.locator('.bot-answer', { hasText: `Hello ${alice.id}` }))
  await visitor.leave()

  const phone = await Visitor.as(chromium, alice, path, { viewport: { width: 390, height: 780 }, hasTouch: true })
  await phone.sees(phone.message('osprey'))
  await phone.hold('osprey', 'Bot commands')
  await phone.page.getByRole('option', { name: 'Repeat' }).tap()
  await phone.sees(phone.page.locator('.bot-answer', { hasText: `Of ${id}` }))
  bot.stop()
  await phone.leave()
})

/** A bot with every kind of field, in a server of many people, with alice. */
async function fielded() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const names = Array.from({ length: 30 }, (_, n) => `Wader ${n}`)
  const crowd = await Promise.all(names.map((name) => passerBy(parley, name)))
  const { server_id, channel_id, everyone } = await place(alice, bob, ...crowd)
  const account = await botOf(bob, 'Keeper')
  await addBot(alice, server_id, account)
  const bot = new Bot({ base: parley.url, token: account.token, intents: [] })
  const described = <T extends string>(name: string, type: T) => ({ name, type, description: `The ${name}` })
  const options = [
    { ...described('bird', 'string'), required: true, autocomplete: true },
    { ...described('size', 'string'), choices: [{ name: 'Large', value: 'l' }] },
    described('loud', 'boolean'),
    described('who', 'user'),
    described('where', 'channel'),
    described('rank', 'role'),
    described('picture', 'attachment'),
  ]
  const subcommands = [{ name: 'note', description: 'Notes one', options }]
  bot.command('bird', { description: 'Keeps birds', subcommands, server_id }, () => {})
  bot.subcommand('bird', 'note', (i) => {
    const { picture: _picture, ...textOptions } = i.options
    const content = `${JSON.stringify(textOptions)} ${i.data.attachments[0]?.filename}`
    return i.reply({ content, ephemeral: true, embeds: [{ title: 'A card', description: 'Noted' }] })
  })
  const late = { asked: Promise.withResolvers<void>(), wanted: Promise.withResolvers<void>() }
  bot.autocomplete('bird', async (i) => {
    const isLate = i.options.bird === 'late'
    if (isLate) {
      late.asked.resolve()
      await late.wanted.promise
    }
    await i.suggest([{ name: `Grey ${i.options.bird}`, value: 'heron' }]).finally(async () => {
      const notice = { content: 'The late choices were sent' }
      if (isLate) await bot.client.call('POST /api/channels/:channel_id/messages', { channel_id }, notice)
    })
  })
  const letters = { type: 'select' as const, custom_id: 'letter', placeholder: 'A letter' }
  const people = { type: 'select' as const, of: 'user' as const, custom_id: 'who', placeholder: 'People', max: 2 }
  bot.command('menu', 'Offers a choice', (i) =>
    i.reply({
      content: 'Choose',
      ephemeral: true,
      components: [[{ ...letters, options: [{ label: 'An A', value: 'a' }] }], [people]],
    }),
  )
  bot.component('letter', (i) => i.update({ content: `Chosen ${i.values}`, components: [[people]] }))
  bot.component('who', async (i) => {
    await i.deferUpdate()
    await i.edit({ content: `People ${i.values}`, components: [] })
  })
  const { promise: choicesRequest, resolve: finish } = Promise.withResolvers<void>()
  bot.command('slow', 'Takes a while', async (i) => {
    await i.defer({ ephemeral: true })
    await choicesRequest
    await i.edit('Ready at last')
  })
  bot.command('mute', 'Says nothing', () => {})
  await bot.start()
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  return { alice, bot, crowd, channel_id, everyone, finish, late, path }
}

/** Searches for a person by name, and chooses the only result. */
async function choose(visitor: Visitor, device: 'keyboard' | 'phone', label: string | RegExp, name: string) {
  const field = visitor.page.getByRole('combobox', { name: label })
  await field.fill(name)
  const found = visitor.page.getByRole('option', { name, exact: true })
  await visitor.sees(found)
  if (device === 'phone') await found.tap()
  else await field.press('Enter')
}

for (const [device, viewport] of [
  ['keyboard', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 780 }],
] as const)
  browserTest(
    browser,
    `fields of every type, selects, deferred answers and silent bots are used by ${device}`,
    async (chromium) => {
      const { alice, bot, crowd, channel_id, everyone, finish, late, path } = await fielded()
      const visitor = await Visitor.as(chromium, alice, path, { viewport, hasTouch: device === 'phone' })
      const { page } = visitor
      const answer = (text: string) => page.locator('.bot-answer', { hasText: text })
      await useCommand(visitor, device, 'mute')
      await visitor.sees('Keeper is thinking…')

      await useCommand(visitor, device, 'bird note')
      await visitor.field(/^bird/).fill('late')
      await late.asked.promise
      await visitor.field(/^bird/).fill('h')
      await visitor.until(async () => (await page.locator('datalist option[value="Grey h"]').count()) === 1)
      // Choices for an earlier key do not replace those for a later one.
      late.wanted.resolve()
      await visitor.sees('The late choices were sent')
      await visitor.field(/^bird/).fill('Grey h')
      await visitor.field(/^size/).selectOption({ label: 'Large' })
      await visitor.field(/^loud/).selectOption({ label: 'No' })
      await choose(visitor, device, 'who', 'Wader 17')
      await visitor.field(/^where/).selectOption({ index: 1 })
      await visitor.field(/^rank/).selectOption({ index: 1 })
      const picture = { name: 'heron.png', mimeType: 'image/png', buffer: Buffer.from(await png(8, 8)) }
      await visitor.field(/^picture/).setInputFiles(picture)
      expect(await faultsOf(visitor)).toEqual([])
      // The form is not sent before the file is uploaded.
      await visitor.until(() => page.locator('dialog form').evaluate((form: HTMLFormElement) => form.checkValidity()))
      await visitor.button('Use /bird note').click()
      const options = { bird: 'heron', size: 'l', loud: false, who: crowd[17]?.id, where: channel_id, rank: everyone }
      await visitor.sees(answer(`${JSON.stringify(options)} heron.png`).getByText('A card'))

      await useCommand(visitor, device, 'menu')
      await answer('Choose').getByLabel('A letter').selectOption({ label: 'An A' })
      await visitor.misses(answer('Choose'))
      await visitor.sees(answer('Chosen a'))
      for (const name of ['Wader 3', 'Wader 5']) await choose(visitor, device, 'People', name)
      expect(await faultsOf(visitor)).toEqual([])
      await answer('Chosen a').getByRole('button', { name: 'Send' }).click()
      await visitor.sees(answer(`People ${crowd[3]?.id},${crowd[5]?.id}`))
      await visitor.misses(answer('Chosen a'))

      await useCommand(visitor, device, 'slow')
      await visitor.until(async () => (await answer('Keeper is thinking…').count()) === 1)
      await visitor.sees(answer('Keeper did not respond.'))
      finish()
      await visitor.sees(answer('Ready at last').getByText('Only you can see this'))
      await visitor.misses(answer('Keeper is thinking…'))
      bot.stop()
      await visitor.leave()
    },
  )
