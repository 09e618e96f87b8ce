import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { rank } from '../support/places.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'the panel, the settings and the list of threads have no accessibility fault; a link opens the panel on a phone',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await rank(parley, server_id, permissions('manage_threads'), ann)
    const start = await say(ann, channel_id, 'A kingfisher at the lower weir!')
    const draft = { name: 'Kingfishers', message_id: start.id }
    const thread = (await ann.post(`/api/channels/${channel_id}/threads`, draft)).body
    for (const text of ['It sat on the third post.', 'With a fish!']) await say(ben, thread.id, text)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const first = await Visitor.as(chromium, ann, path)
    const panel = (visitor: Visitor) => visitor.page.getByRole('complementary', { name: 'Thread Kingfishers' })
    await first.sees(first.page.locator('.thread-line', { hasText: 'Kingfishers' }))
    await shootThemes(first, 'wide-line')
    await first.page.locator('.thread-line', { hasText: 'Kingfishers' }).click()
    await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))
    await shootThemes(first, 'wide-panel')
    expect(await faultsOf(first)).toEqual([])
    await first.button('Thread actions').click()
    await first.page.getByRole('menuitem', { name: 'Thread settings', exact: true }).click()
    await first.sees(first.field('Slowmode'))
    expect(await faultsOf(first)).toEqual([])
    await first.page.keyboard.press('Escape')
    await first.button('Thread actions').click()
    await first.page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await first.button('Close the thread').click()
    await first.page.getByRole('button', { name: /^Threads/ }).click()
    await first.button('Archived').click()
    await first.sees(first.page.locator('.side-panel li', { hasText: 'Kingfishers' }))
    await shootThemes(first, 'wide-list')
    expect(await faultsOf(first)).toEqual([])

    // A link to a message in an archived thread, for a person whose client does not know the thread.
    const [newest] = (await ben.get(`/api/channels/${thread.id}/messages`)).body
    const phone = { viewport: { width: 390, height: 800 } }
    const second = await Visitor.as(chromium, ben, `/c/${thread.id}/${newest.id}`, phone)
    await second.sees(panel(second).locator('.message.flash, .message', { hasText: 'With a fish!' }))
    await shootThemes(second, 'phone-panel')
    await second.button('Close the thread').click()
    await second.sees(second.message('lower weir'))
    await shootThemes(second, 'phone-line')
    for (const visitor of [first, second]) await visitor.leave()
  },
)
