import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { markupCases, scripts } from '../../support/markup-cases.ts'

import { Page } from '../../support/page.ts'

const parley = await standard()

test('a page draws the links and mentions that the server finds, in twelve scripts', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
  const page = await Page.as(alice, `/app/servers/${server_id}`)
  for (const script of scripts) {
    const { body } = await alice.post(`/api/servers/${server_id}/channels`, { name: script.name, type: 'text' })
    const cases = markupCases(script)
    const ids: number[] = []
    for (const { text } of cases) {
      const content = text.replace('<@8>', `<@${alice.id}>`).replace('<@&7>', `<@&${role}>`)
      ids.push((await say(alice, body.id, content)).id)
    }
    await page.goto(`${parley.url}/c/${body.id}`)
    await page.sees(page.locator(`[data-id="${ids.at(-1)}"] .rich`).first())
    await page.locator('.spoiler').first().press('Enter')
    await page.sees(page.locator('.rich a').last())
    const drawn = await page.evaluate((all) => {
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
  await page.leave()
})

/** An action opens a tab with this address. */
async function opens(page: Page, address: string, act: () => Promise<unknown>): Promise<void> {
  await act()
  await page.until(() => page.openedTabs.shift() === address)
}

test('a link whose label shows another host asks once for each host, and never again if so chosen', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const page = await Page.as(alice, path)
  await say(alice, channel_id, '[bank.example/login](https://evil.example/one) [**again**](https://evil.example/two)')
  await say(alice, channel_id, '[open.example](https://open.example/) [third](https://third.example/)')
  await say(alice, channel_id, 'https://bаnk.example/ https://bank.example@evil.example/ https://bücher.example/')
  await page.sees(page.link('https://xn--bnk-6cd.example/'))
  await page.sees(page.link('https://evil.example/'))
  await page.sees(page.link('https://bücher.example/'))
  await page.link('bank.example/login').click()
  const dialog = page.getByRole('dialog')
  await page.sees(dialog.getByText('leads to evil.example.'))
  await page.sees(dialog.getByText('https://evil.example/one'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.misses(dialog)

  await page.link('bank.example/login').click()
  await opens(page, 'https://evil.example/one', () => dialog.getByRole('button', { name: 'Open link' }).click())
  await page.misses(dialog)
  await opens(page, 'https://evil.example/two', () => page.link('again').click())
  await opens(page, 'https://open.example/', () => page.link('open.example').click())

  await page.reload()
  await page.link('again').click()
  await dialog.getByLabel('Don’t ask again for evil.example').check()
  await opens(page, 'https://evil.example/two', () => dialog.getByRole('button', { name: 'Open link' }).click())
  await page.reload()
  await opens(page, 'https://evil.example/one', () => page.link('bank.example/login').click())

  // A full storage blocks nobody.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.link('third').click()
  await dialog.getByLabel('Don’t ask again for third.example').check()
  await opens(page, 'https://third.example/', () => dialog.getByRole('button', { name: 'Open link' }).click())
  await opens(page, 'https://third.example/', () => page.link('third').click())
  await page.leave()
})
