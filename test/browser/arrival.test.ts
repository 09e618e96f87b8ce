import { expect } from 'bun:test'
import arabic from '../../locales/ar/arrival.json'
import english from '../../locales/en/arrival.json'
import { inspect, SCREENS } from '../support/browser/screens.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { person, newServer, standard } from '../support/harness.ts'

const parley = await standard()
const browser = await openBrowser()

const RULES = `# Welcome to the lake
1. Be **kind**, also to beginners.
2. No pictures of nests: they lead thieves there.
3. Questions belong in <#1> or a thread.`
const LONG = 'Long-winded-descriptions-without-a-single-space-that-nobody-would-write-but-somebody-does'

/** A server that asks new members everything, and a member and a newcomer of it. */
async function lake() {
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/api/servers/${server_id}`
  const role = async (name: string, color: string) =>
    (await alice.post(`${path}/roles`, { name, color, self_assignable: true })).body.id
  const [owls, ducks] = [await role('Owls', '#8040c0'), await role('Ducks and other water birds', '#208060')]
  const channels: number[] = []
  for (const [name, topic] of [
    ['owls', 'Birds of the night'],
    ['water', LONG],
  ]) {
    const { id } = (await alice.post(`${path}/channels`, { name, topic, type: 'text' })).body
    await alice.put(`/api/channels/${id}`, { opt_in: true })
    channels.push(id)
  }
  await alice.put(`${path}/rules`, { content: RULES })
  const option = (label: string, emoji: string | null, at: number) => ({
    label,
    emoji,
    description: at === 1 ? LONG : 'And everything near them',
    role_ids: [[owls, ducks][at]].filter(Boolean),
    channel_ids: [channels[at]].filter(Boolean),
  })
  await alice.put(`${path}/onboarding`, {
    questions: [
      {
        title: 'What do you watch?',
        description: 'You can choose again later.',
        multiple: true,
        required: true,
        options: [option('Owls', '🦉', 0), option('Ducks and other water birds', '🦆', 1)],
      },
      { title: 'How did you find us?', options: [option('By a friend', null, 2), option('By chance', null, 2)] },
    ],
  })
  await alice.put(`${path}/welcome`, {
    content: 'We meet at the weir every Sunday.\nBring tea.',
    channels: [
      { channel_id, emoji: '👋', line: 'Say hello here' },
      { channel_id: channels[0], emoji: '🦉', line: LONG },
    ],
  })
  const { code } = (await alice.post('/api/invites', { server_id })).body
  return { alice, bob, carol, code, path: `/app/servers/${server_id}/channels/${channel_id}`, server_id }
}

for (const [where, options] of Object.entries(SCREENS)) {
  const [name, words] = 'locale' in options ? ['-ar', arabic] : ['', english]

  browserTest(browser, `rules, questions, welcome and choices are whole and accessible ${where}`, async (chromium) => {
    const { bob, carol, code, path } = await lake()
    const newcomer = await Visitor.as(chromium, carol, `/invite/${code}`, options)
    const { page } = newcomer
    await page.locator('.card button').first().click()
    const dialog = page.locator('dialog[open]')
    await newcomer.sees(dialog.locator('fieldset.question').first())
    await inspect(newcomer, `arrival-rules${name}`)
    await dialog.locator('input[type=checkbox]').first().check()
    await dialog.locator('button.primary, form button:not([type=button])').last().click()
    await newcomer.sees(dialog.locator('.welcome'))
    await inspect(newcomer, `arrival-welcome${name}`)
    await newcomer.leave()
    const member = await Visitor.as(chromium, bob, path, options)
    await member.sees(member.page.locator('.viewed-as'))
    await inspect(member, `arrival-banner${name}`)
    if (options !== SCREENS['on a desktop']) await member.page.locator('.menu-button').tap()
    await inspect(member, `arrival-list${name}`)
    await member.page.locator('.server-name').click()
    await member.page.getByRole('menuitem', { name: words.choices }).click()
    await member.sees(member.page.locator('dialog .chips').first())
    await inspect(member, `arrival-choices${name}`)
    await member.leave()
  })

  browserTest(browser, `the settings of new members are whole and accessible ${where}`, async (chromium) => {
    const { alice, path } = await lake()
    const owner = await Visitor.as(chromium, alice, path, options)
    await owner.sees(owner.page.locator('.composer'))
    if (options !== SCREENS['on a desktop']) await owner.page.locator('.menu-button').tap()
    await owner.page.locator('.server-name').click()
    await owner.page.locator('.menu > [role=menuitem]').last().click()
    await owner.page.locator('dialog nav').getByRole('button', { name: words.tab }).click()
    await owner.sees(owner.page.locator('form.arrival-rules textarea'))
    await owner.sees(owner.page.locator('fieldset.question').first())
    await inspect(owner, `arrival-settings${name}`)
    for (const part of ['.welcome-channel', 'fieldset.question', 'fieldset.question fieldset']) {
      await owner.page.locator(part).first().scrollIntoViewIfNeeded()
      await inspect(owner, `arrival-settings-${part.replace(/\W+/g, '-')}${name}`)
    }
    await owner.leave()
  })

  browserTest(browser, `the first steps of a server are whole and accessible ${where}`, async (chromium) => {
    const ann = await person(parley, 'ann')
    await newServer(ann)
    const owner = await Visitor.as(chromium, ann, '/app', options)
    if (options !== SCREENS['on a desktop']) await owner.page.locator('.phone-tabs button').nth(1).tap()
    await owner.page.locator('.server-list .add').click()
    const dialog = owner.page.locator('dialog[open]')
    await owner.sees(dialog.locator('.templates'))
    await dialog.locator('.templates input').nth(1).check()
    await dialog.locator('input[maxlength]').first().fill('Weir club')
    await inspect(owner, `arrival-templates${name}`)
    await dialog.locator('form button').first().click()
    await owner.sees(dialog.locator('.powers'))
    await inspect(owner, `arrival-channels${name}`)
    await dialog.locator('button.primary').click()
    await owner.sees(dialog.locator('.face'))
    await dialog.locator('.footer button').click()
    await owner.sees(dialog.locator('textarea'))
    await inspect(owner, `arrival-first-rules${name}`)
    await owner.leave()
  })
}

browserTest(browser, 'a newcomer accepts the rules, answers and looks around by keyboard only', async (chromium) => {
  const { carol, code, server_id } = await lake()
  const newcomer = await Visitor.as(chromium, carol, `/invite/${code}`)
  const { page } = newcomer
  const press = (key: string) => page.keyboard.press(key)
  await page.locator('.card button:enabled').first().focus()
  await press('Enter')
  await newcomer.sees('What do you watch?')
  const isOn = (selector: string) => page.evaluate((it) => document.activeElement?.matches(it) === true, selector)
  const tabTo = async (selector: string) => {
    for (let n = 0; n < 20 && !(await isOn(selector)); n++) await press('Tab')
    expect(await isOn(selector)).toBe(true)
  }
  await tabTo('fieldset.question input[type=checkbox]')
  await press('Space')
  await tabTo('dialog form .footer button:not([type=button])')
  await press('Enter')
  await newcomer.sees('We meet at the weir every Sunday.')
  await tabTo('dialog .footer .primary')
  await press('Enter')
  await newcomer.misses(page.locator('dialog[open]'))
  const { body } = await carol.get(`/api/servers/${server_id}/members/${carol.id}/roles`)
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['everyone', 'Owls'])
  await newcomer.leave()
})
