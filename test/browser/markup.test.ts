import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

import { post, webhook } from '../support/webhooks.ts'

const parley = await standard()
const browser = await openBrowser()

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
