import { expect } from 'bun:test'
import { boot, newServer, person, say, stop } from '../../harness.ts'
import { freePort } from '../../ports.ts'
import { Line } from '../line.ts'
import { Visitor } from '../visitor.ts'
import type { Story } from './story.ts'

const sent = (visitor: Visitor, text: string) => visitor.page.locator('.message:not(.pending)', { hasText: text })

/** A server that restarts. */
export const restarting: Story = {
  claim: 'a page waits for a restarting server, and sends what was written meanwhile once',
  async run(browser) {
    const first = await boot({ PORT: String(freePort()) })
    const { port } = new URL(first.url)
    const { DATABASE_URL = '', DATA_DIR } = first.parts.environment
    const [ann, ben] = [await person(first, 'ann'), await person(first, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(browser, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.say('before')
    await visitor.sees(sent(visitor, 'before'))
    await stop(first)
    await visitor.sees('Connection lost. Reconnecting…')
    await visitor.say('meanwhile')
    await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'meanwhile' }))
    const second = await boot({ PORT: port, DATABASE_URL, DATA_DIR })
    await say(ben, channel_id, 'from elsewhere')
    await visitor.sees(visitor.message('from elsewhere'))
    await visitor.sees(sent(visitor, 'meanwhile'))
    await visitor.misses(visitor.page.getByText('Connection lost'))
    expect(await visitor.page.locator('.message').count()).toBe(3)
    await visitor.leave()
    await stop(second)
  },
}

/** A network that goes and comes back. */
export const offline: Story = {
  claim: 'without a network what is written waits, also past a reload, and arrives once when it is back',
  async run(browser, parley) {
    const line = await Line.to(parley.url)
    const there = { ...parley, url: line.url }
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(
      browser,
      { ...ann, parley: there },
      `/app/servers/${server_id}/channels/${channel_id}`,
    )
    await visitor.say('before')
    await visitor.sees(sent(visitor, 'before'))
    line.cut()
    await visitor.sees('Connection lost. Reconnecting…')
    await visitor.say('written offline')
    await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'written offline' }))
    await say(ben, channel_id, 'said meanwhile')
    await line.mend()
    await visitor.page.reload()
    await visitor.sees(visitor.message('said meanwhile'))
    await visitor.sees(sent(visitor, 'written offline'))
    const { body } = await ben.get(`/api/channels/${channel_id}/messages`)
    const contents = body.map((message: { content: string }) => message.content)
    expect(contents.toSorted()).toEqual(['before', 'said meanwhile', 'written offline'])
    await visitor.leave()
    line.cut()
  },
}

/** Two tabs of one browser. */
export const twoTabs: Story = {
  claim: 'what one tab sends, reads or ends, another tab of the browser shows too',
  async run(browser, parley) {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
    const first = await Visitor.as(browser, ann, path)
    await first.sees(first.page.locator('.beginning'))
    await first.link('other').click()
    await first.sees(first.page.getByRole('heading', { name: 'other', level: 1 }))
    await say(ben, channel_id, 'news')
    await first.sees(first.page.locator('.sidebar .unread'))
    const second = await first.tab(path)
    await second.sees(second.message('news'))
    await first.misses(first.page.locator('.sidebar .unread'))
    await second.say('from the second tab')
    await first.link('general').click()
    await first.sees(first.message('from the second tab'))
    await second.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await second.button('Profile').click()
    await second.button('Log out').click()
    for (const tab of [second, first]) await tab.sees(tab.page.getByRole('heading', { name: 'Welcome back' }))
    await first.leave()
  },
}
