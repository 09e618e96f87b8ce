import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, standard } from '../support/harness.ts'
import { addRule, wordsRule } from '../support/automod.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a rule is made, tried, changed and deleted by keyboard, and a blocked writer keeps the text and reads why',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [maker, writer] = [await Visitor.as(chromium, alice, path), await Visitor.as(chromium, bob, path)]
    const { page } = maker
    await maker.inServerMenu('Server settings')
    await maker.button('AutoMod').focus()
    await page.keyboard.press('Enter')
    await maker.button('New rule').focus()
    await page.keyboard.press('Enter')
    const form = page.locator('form.automod-rule')
    await form.getByLabel('Rule name').fill('Birds')
    await form.getByLabel('Words, one per line', { exact: false }).first().fill('heron\n\n*gull*\nheron')
    await form.getByLabel('What the writer reads (optional)').fill('No birds here, please.')
    expect(await faultsOf(maker)).toEqual([])
    await shootThemes(maker, 'automod-new')
    await form.getByLabel('Rule name').press('Enter')
    await maker.sees(maker.button('Edit Birds'))
    await maker.until(() => page.evaluate(() => document.activeElement?.textContent === 'New rule'))
    const { body: rules } = await alice.get(`/api/servers/${server_id}/automod`)
    expect(rules).toMatchObject([
      {
        name: 'Birds',
        trigger: { type: 'words', words: ['heron', '*gull*'], allow: [] },
        actions: [{ type: 'block', message: 'No birds here, please.' }],
      },
    ])

    await maker.field('Try a text').fill('I saw a HÉRON!')
    await maker.button('Try it').focus()
    await page.keyboard.press('Enter')
    await maker.sees('Birds: “HÉRON!”')
    await maker.field('Try a text').fill('I saw a tern')
    await maker.button('Try it').click()
    await maker.sees('No rule would act.')

    await writer.say('Look, a heron')
    await writer.sees('No birds here, please.')
    await writer.until(async () => (await writer.composer().inputValue()) === 'Look, a heron')
    expect(await writer.page.getByRole('alert').allTextContents()).toEqual(['No birds here, please.'])
    expect(await writer.page.locator('.message.refused').count()).toBe(0)
    await shootThemes(writer, 'automod-blocked')
    await writer.say('Look, a tern')
    await writer.sees(writer.message('Look, a tern'))
    await writer.misses(writer.page.getByText('No birds here, please.'))

    await maker.button('Edit Birds').focus()
    await page.keyboard.press('Enter')
    await page.setViewportSize({ width: 390, height: 760 })
    await shootThemes(maker, 'automod-phone')
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isWide).toBe(false)
    await page.setViewportSize({ width: 1280, height: 720 })
    await form.getByLabel('Looks for').selectOption('Spam')
    await form.getByLabel('Quarantine the member until a moderator lifts it').check()
    await form.getByLabel('Rule name').press('Enter')
    await maker.misses(form)
    const { body: changed } = await alice.get(`/api/servers/${server_id}/automod`)
    expect(changed).toMatchObject([
      { trigger: { type: 'spam', by: 'member' }, actions: [{ type: 'block' }, { type: 'quarantine' }] },
    ])
    await maker.button('Delete Birds').click()
    await page.locator('dialog.small').getByRole('button', { name: 'Delete Birds' }).click()
    await maker.sees('No rules yet')
    for (const visitor of [maker, writer]) await visitor.leave()
  },
)

browserTest(
  browser,
  'an edit that a rule blocks opens again with its text, and moderators read what rules found',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { body: alerts } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'alerts', type: 'text' })
    const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
    const [{ id: all }] = roles.filter(({ is_everyone }: { is_everyone: boolean }) => is_everyone)
    await alice.put(`/api/channels/${alerts.id}/permissions/${all}`, { deny: permissions('view_channel') })
    const actions = [
      { type: 'block', message: 'No birds here.' },
      { type: 'timeout', seconds: 60 },
      { type: 'alert', channel_id: alerts.id },
    ]
    await addRule(alice, server_id, wordsRule(['heron'], { name: 'Birds', actions }))
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const owner = await Visitor.as(chromium, alice, path)
    await owner.say('A tern')
    await owner.sees(owner.page.locator('.message:not(.pending)', { hasText: 'A tern' }))
    await owner.composer().press('ArrowUp')
    const editor = owner.page.locator('.editor textarea')
    await editor.fill('A heron')
    await editor.press('Enter')
    await owner.sees('No birds here.')
    expect(await editor.inputValue()).toBe('A heron')
    await owner.page.keyboard.press('Escape')
    await owner.button('Discard changes').click()
    await owner.inServerMenu('Server settings')
    await owner.button('AutoMod').click()
    await owner.sees('A heron')
    await owner.sees(/Birds · 1×/)
    expect(await faultsOf(owner)).toEqual([])
    await shootThemes(owner, 'automod-hits')
    await owner.page.keyboard.press('Escape')
    await owner.page.goto(`${parley.url}/app/servers/${server_id}/channels/${alerts.id}`)
    await owner.sees(/AutoMod: .+ broke the rule “Birds” in #general \(1×\)/)
    await owner.button('Open AutoMod').focus()
    await owner.page.keyboard.press('Enter')
    await owner.sees(/Birds · 1×/)
    expect(await faultsOf(owner)).toEqual([])
    await owner.page.setViewportSize({ width: 390, height: 760 })
    await shootThemes(owner, 'automod-alert')
    await owner.leave()
  },
)

browserTest(
  browser,
  'the owner sets who may write after joining, and a moderator ends a raid and removes who came with it',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice)
    const owner = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await owner.inServerMenu('Server settings')
    await owner.button('AutoMod').click()
    await owner.field('New members can write').selectOption('once they have been members for')
    await owner.field('Time').selectOption('30 minutes')
    await owner.until(async () => (await alice.get(`/api/servers/${server_id}`)).body.verification_minutes === 30)
    await owner.button('Apply to existing members too').click()
    await owner.sees('Members who cannot write until they are verified: 0. Those with a role are exempt.')
    await owner.page.locator('dialog.small').getByRole('button', { name: 'Apply to existing members too' }).click()
    await owner.sees('Existing members are being checked.')
    const { code } = (await alice.post('/api/invites', { server_id })).body
    await bob.post(`/api/invites/${code}/join`)
    const newcomer = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await newcomer.sees('This server lets people write once they have been members for 30 minutes.')
    await newcomer.sees(/You can write in (29|30) minutes/)
    expect(await faultsOf(newcomer)).toEqual([])
    await shootThemes(newcomer, 'automod-unverified')
    await newcomer.leave()

    await owner.button('Begin raid mode').click()
    await owner.sees(/Nobody can join until/)
    expect(await faultsOf(owner)).toEqual([])
    await shootThemes(owner, 'automod-raid')
    const { since } = (await alice.get(`/api/servers/${server_id}/raid`)).body
    await parley.parts
      .sql`update members set joined_at = ${since} where server_id = ${server_id} and user_id = ${bob.id}`
    await owner.button('Kick all who joined since').click()
    await owner.sees('Members to remove: 1. Those with a role stay.')
    await owner.page.locator('dialog.small').getByRole('button', { name: 'Kick all who joined since' }).click()
    await owner.sees('They are being removed.')
    await owner.until(async () => {
      await parley.sweep()
      return (await alice.get(`/api/servers/${server_id}/members`)).body.length === 1
    })
    await owner.button('End, and let everyone in').click()
    await owner.sees('Raid mode is off.')
    await owner.leave()
  },
)
