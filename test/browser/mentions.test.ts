import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shoot, shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'mentions are suggested, drawn, counted at their places, found in the inbox, and can be muted',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const make = async (path: string, body: object) =>
      (await alice.post(`/api/servers/${server_id}/${path}`, body)).body
    const other = await make('channels', { name: 'sightings', type: 'text' })
    const herons = await make('roles', { name: 'Herons', mentionable: true, color: '#c02060' })
    await make('roles', { name: 'Owls' })
    await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${herons.id}`)
    await alice.put(`/api/servers/${server_id}/members/${bob.id}`, { nickname: 'Bobby' })
    const writer = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${other.id}`)
    const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    const { page } = reader
    const place = (name: string) => page.locator('.sidebar').getByRole('link', { name })

    // A person by the nickname, a role and a channel are chosen from the list.
    await writer.sees('This is the beginning')
    const write = async (text: string, chosen: RegExp) => {
      await writer.composer().pressSequentially(text)
      await writer.page.getByRole('option', { name: chosen }).click()
    }
    await write('Hello @Bob', /Bobby/)
    await write('and @Her', /Herons/)
    await write('in #gen', /general/)
    await shoot(writer, 'composer')
    await writer.composer().press('Enter')
    await writer.sees(writer.message('Hello @Bobby and @Herons in #general'))
    await reader.sees(reader.link('sightings, 1 unread'))
    await say(alice, other.id, '@everyone, come and see')
    await reader.sees(reader.link('sightings, 2 unread'))
    await reader.sees(page.locator('.server-list a[aria-label*="2 unread"]'))

    // The inbox leads to the message, which is highlighted.
    await reader.button('Show inbox').click()
    await reader.sees(page.locator('dialog .message', { hasText: 'come and see' }))
    await shoot(reader, 'inbox')
    expect(await faultsOf(reader)).toEqual([])
    // Messages that arrive, change and are deleted meanwhile appear so.
    const inbox = page.locator('dialog .message')
    const third = await say(alice, other.id, `<@${bob.id}>, a third`)
    await reader.sees(inbox.first().filter({ hasText: 'a third' }))
    await alice.put(`/api/messages/${third.id}`, { content: `<@${bob.id}>, a bittern` })
    await reader.sees(inbox.first().filter({ hasText: 'a bittern' }))
    await alice.delete(`/api/messages/${third.id}`)
    await reader.misses(inbox.filter({ hasText: 'a bittern' }))
    await page.locator('dialog .message', { hasText: 'Hello' }).getByRole('link').first().click()
    await reader.sees(page.locator('.message.called', { hasText: 'Hello @Bobby' }))
    expect(await page.locator('.message .mention.mine').allTextContents()).toEqual(['@Bobby', '@Herons', '@everyone'])
    await reader.misses(page.locator('.sidebar .badge'))
    await shoot(reader, 'channel')

    // A channel that was marked unread stays so until it is opened again. Its read mark must not be under way.
    await reader.until(async () => {
      const [unread] = (await bob.get(`/api/unread?channel_ids=${other.id}`)).body
      return unread.newest_id === null
    })
    await page.locator('.message.called', { hasText: 'come and see' }).hover()
    await page.locator('.message.called', { hasText: 'come and see' }).press('u')
    await place('general').click()
    await reader.sees(reader.link('sightings, 1 unread'))
    await place('sightings').click()
    await reader.sees(page.locator('.rule.new'))
    await reader.misses(page.locator('.sidebar .badge'))

    // Bob may not mention everyone, nor the owls.
    await reader.composer().pressSequentially('@every')
    await reader.sees(page.getByRole('option', { name: /You do not have permission to mention this/ }))
    await reader.composer().fill('@everyone, really')
    await reader.composer().press('Enter')
    await reader.sees(reader.message('@everyone, really'))
    expect(await page.locator('.message', { hasText: 'really' }).locator('.mention').count()).toBe(0)

    // A muted channel counts only mentions by name.
    await page.locator('main').getByRole('button', { name: 'Notifications' }).click()
    await shoot(reader, 'settings')
    expect(await faultsOf(reader)).toEqual([])
    await reader.button('For 1 hour').click()
    await reader.sees('Muted until')
    await reader.button('Close').click()
    await place('general').click()
    await say(alice, other.id, '@everyone, again')
    await say(alice, other.id, `<@${bob.id}>, look`)
    await reader.sees(reader.link('sightings, muted, 1 unread'))
    await page.keyboard.press('Shift+Escape')
    await reader.sees(reader.link('sightings, muted').and(page.locator(':not([aria-label*="unread"])')))
    for (const visitor of [writer, reader]) await visitor.leave()
  },
)

browserTest(
  browser,
  'screen readers announce the list of mentions, and the keyboard chooses from it',
  async (chromium) => {
    const [alice, bea, ben] = [await person(parley, 'alice'), await person(parley, 'bea'), await person(parley, 'ben')]
    await bea.put('/api/auth/display-name', { display_name: 'Beatrix' })
    await ben.put('/api/auth/display-name', { display_name: 'Bertram' })
    const { server_id, channel_id } = await newServer(alice, bea, ben)
    const writer = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const { keyboard } = writer.page
    const options = writer.page.getByRole('option')
    await writer.until(async () => (await writer.page.locator('.members li').count()) === 3)
    /** The list that the field names, and its selected option. */
    const announcement = () =>
      writer.page.evaluate(() => {
        const field = document.activeElement
        const named = (attribute: string) => document.getElementById(field?.getAttribute(attribute) ?? '')
        const [list, option] = [named('aria-controls'), named('aria-activedescendant')]
        const isRight = option === null || (list?.contains(option) && option.ariaSelected === 'true')
        if (!isRight || field?.ariaAutoComplete !== 'list' || field.ariaHasPopup !== 'listbox')
          return 'not a list field'
        return [
          list?.role,
          list?.querySelectorAll('[aria-selected=true]').length,
          option?.querySelector('bdi')?.innerText,
        ]
      })
    const tells = (...expected: unknown[]) => writer.until(async () => Bun.deepEquals(await announcement(), expected))
    const fields = [writer.composer(), writer.field('Edit message')]
    for (const [at, field] of fields.entries()) {
      if (at > 0) await keyboard.press('ArrowUp')
      await writer.sees(field)
      await tells(undefined, undefined, undefined)
      await keyboard.type(' @')
      await tells('listbox', 0, undefined)
      await keyboard.type('be')
      await tells('listbox', 1, 'Beatrix')
      await keyboard.press('ArrowUp')
      await tells('listbox', 1, 'Bertram')
      // HTML gives a multi-line field no role but textbox; its list tells if it is expanded.
      expect(await field.evaluate((box) => [box.role, box.ariaExpanded])).toEqual([null, null])
      expect(await faultsOf(writer)).toEqual([])
      await keyboard.press('Escape')
      await writer.misses(options)
      await tells(undefined, undefined, undefined)
      await keyboard.type('r')
      await tells(undefined, undefined, undefined)
      for (let n = 0; n < 4; n++) await keyboard.press('Backspace')
      await keyboard.type('@be')
      await tells('listbox', 1, 'Beatrix')
      await keyboard.press('Tab')
      await writer.until(async () => (await field.inputValue()).endsWith('@Beatrix '))
      await tells(undefined, undefined, undefined)
      await keyboard.press('Enter')
      await writer.sees(writer.page.locator('.message:not(.pending) .mention').nth(at))
    }
    await writer.leave()
  },
)

browserTest(browser, 'the note for a member without read_history has no accessibility fault', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const quiet = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'quiet', type: 'text' })).body.id
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${quiet}/permissions/${everyone.id}`
  await alice.put(path, { deny: permissions('read_history') })
  await say(alice, quiet, `<@${bob.id}>, before`)
  const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
  await reader.link('quiet, 1 unread').click()
  await reader.sees('You do not have permission to read older messages here.')
  await shootThemes(reader, 'no-history')
  expect(await faultsOf(reader)).toEqual([])
  await reader.leave()
})

browserTest(browser, 'a reader jumps to a date, also on a phone and in the dark', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const { sql } = parley.parts
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select ${channel_id}, ${alice.id}, 'Day ' || n, now() - (300 - n) * interval '1 day' from generate_series(1, 300) n`
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
  const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`, options)
  const { page } = reader
  const more = reader.button('More about this place')
  await more.click()
  await reader.button('Jump to a date').click()
  const day = new Date(Date.now() - 200 * 86_400_000)
  const local = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-')
  await reader.field('Date:').fill(local)
  await shoot(reader, 'date-phone')
  await page.locator('dialog').getByRole('button', { name: 'Jump' }).click()
  await reader.sees(page.locator('.message', { hasText: 'Day 100' }))
  await shoot(reader, 'phone')
  await more.click()
  await page.locator('main').getByRole('button', { name: 'Notifications' }).click()
  await shoot(reader, 'settings-phone')
  expect(await faultsOf(reader)).toEqual([])
  await reader.leave()
})
