import { expect } from 'bun:test'
import type { Visitor as Guest } from '../support/browser/visitor.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { markupCases, scripts } from '../support/markup-cases.ts'
import { post, webhook } from '../support/webhooks.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a page draws the links and mentions that the server finds, in twelve scripts',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id } = await newServer(alice)
    const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}`, {
      viewport: { width: 900, height: 2400 },
    })
    for (const script of scripts) {
      const { body } = await alice.post(`/api/servers/${server_id}/channels`, { name: script.name, type: 'text' })
      const cases = markupCases(script)
      const ids: number[] = []
      for (const { text } of cases) {
        const content = text.replace('<@8>', `<@${alice.id}>`).replace('<@&7>', `<@&${role}>`)
        ids.push((await say(alice, body.id, content)).id)
      }
      await visitor.page.goto(`${parley.url}/c/${body.id}`)
      await visitor.sees(visitor.page.locator(`[data-id="${ids.at(-1)}"] .rich`).first())
      await visitor.page.locator('.spoiler').first().press('Enter')
      await visitor.sees(visitor.page.locator('.rich a').last())
      const drawn = await visitor.page.evaluate((all) => {
        const rowOf = (id: number) => document.querySelector(`[data-id="${id}"] .rich`)
        return all.map((id) => {
          const row = rowOf(id)
          const called = [...(row?.querySelectorAll('.mention') ?? [])].map(({ textContent }) => textContent ?? '')
          return {
            links: [...(row?.querySelectorAll('a[target=_blank]') ?? [])].map((link) => link.getAttribute('href')),
            people: row?.querySelector('.mention[data-menu]') !== null,
            roles: called.includes('@Herons'),
            everyone: called.includes('@everyone'),
            here: called.includes('@here'),
          }
        })
      }, ids)
      for (const [at, { text, links, people, roles, everyone, here }] of cases.entries())
        expect([text, drawn[at] as unknown]).toEqual([text, { links, people, roles, everyone, here }])
    }
    await visitor.leave()
  },
)

/** An action opens a tab with this address, which is closed again. */
async function opens(visitor: Guest, address: string, act: () => Promise<unknown>): Promise<void> {
  const [tab] = await Promise.all([visitor.page.context().waitForEvent('page'), act()])
  // A new tab is empty for a moment before it loads the address.
  await tab.waitForURL(address, { waitUntil: 'commit' })
  await tab.close()
}

browserTest(
  browser,
  'a link whose label shows another host asks once for each host, and never again if so chosen',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path)
    await visitor.page.context().route(/example/, (route) => route.fulfill({ body: 'elsewhere' }))
    await say(alice, channel_id, '[bank.example/login](https://evil.example/one) [**again**](https://evil.example/two)')
    await say(alice, channel_id, '[open.example](https://open.example/) [third](https://third.example/)')
    await say(alice, channel_id, 'https://bаnk.example/ https://bank.example@evil.example/ https://bücher.example/')
    await visitor.sees(visitor.link('https://xn--bnk-6cd.example/'))
    await visitor.sees(visitor.link('https://evil.example/'))
    await visitor.sees(visitor.link('https://bücher.example/'))
    await visitor.link('bank.example/login').click()
    const dialog = visitor.page.getByRole('dialog')
    await visitor.sees(dialog.getByText('leads to evil.example.'))
    await visitor.sees(dialog.getByText('https://evil.example/one'))
    await shootThemes(visitor, 'leave')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await visitor.misses(dialog)

    await visitor.link('bank.example/login').click()
    await opens(visitor, 'https://evil.example/one', () => dialog.getByRole('button', { name: 'Open link' }).click())
    await visitor.misses(dialog)
    await opens(visitor, 'https://evil.example/two', () => visitor.link('again').click())
    await opens(visitor, 'https://open.example/', () => visitor.link('open.example').click())

    await visitor.page.reload()
    await visitor.link('again').click()
    await dialog.getByLabel('Don’t ask again for evil.example').check()
    await opens(visitor, 'https://evil.example/two', () => dialog.getByRole('button', { name: 'Open link' }).click())
    await visitor.page.reload()
    await opens(visitor, 'https://evil.example/one', () => visitor.link('bank.example/login').click())

    // A full storage blocks nobody.
    await visitor.page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await visitor.link('third').click()
    await dialog.getByLabel('Don’t ask again for third.example').check()
    await opens(visitor, 'https://third.example/', () => dialog.getByRole('button', { name: 'Open link' }).click())
    await opens(visitor, 'https://third.example/', () => visitor.link('third').click())
    await visitor.leave()
  },
)

browserTest(
  browser,
  'timestamps of messages and embeds are drawn in the language and time zone of each reader',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const { url } = await webhook(alice, channel_id, 'Uptime')
    const at = '<t:1796000000:F>'
    const embed = { title: `Down ${at}`, description: `since ${at}`, footer: { text: `seen ${at}` } }
    const fields = [{ name: `from ${at}`, value: `until ${at}` }]
    expect((await post(alice, url, { content: `now ${at}`, embeds: [{ ...embed, fields }] })).status).toBe(204)
    await say(alice, channel_id, 'a <t:1796000000:t> b <t:1796000000:R> `<t:1:R>`')
    const readers = [
      {
        options: { locale: 'en-GB', timezoneId: 'Asia/Tokyo' },
        moment: 'Monday,? 30 November 2026 at 09:53',
        clock: '09:53',
      },
      {
        options: { locale: 'de-DE', timezoneId: 'Europe/Berlin' },
        moment: 'Montag, 30. November 2026 um 01:53',
        clock: '01:53',
      },
    ]
    for (const { options, moment, clock } of readers) {
      const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, options)
      for (const before of ['now', 'Down', 'since', 'seen', 'from', 'until'])
        await visitor.sees(new RegExp(`${before} ${moment}`))
      await visitor.sees(new RegExp(`a ${clock} b `))
      expect(await visitor.page.locator('.rich code').last().textContent()).toBe('<t:1:R>')
      await shootThemes(visitor, `moments-${options.locale}`)
      await visitor.leave()
    }
  },
)
