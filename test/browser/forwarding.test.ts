import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { befriend } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()
const SHOTS = process.env['SHOTS']
/** Wide and on a phone, light and dark. */
async function shoot({ page }: Visitor, name: string): Promise<void> {
  if (!SHOTS) return
  for (const [size, viewport] of Object.entries({
    wide: { width: 1280, height: 800 },
    phone: { width: 390, height: 800 },
  }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${SHOTS}/${name}-${size}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
}
/** Opens the menu of a message, and picks an entry. */
async function act(visitor: Visitor, text: string, action: string): Promise<void> {
  await visitor.message(text).last().hover()
  await visitor.button('More').click()
  await visitor.page.getByRole('menuitem', { name: action }).click()
}

browserTest(
  browser,
  'a message is forwarded to a place found by search, with a comment, and links back',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { server_id, channel_id } = await newServer(ann, ben)
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'field-notes', type: 'text' })
    const original = await say(ben, channel_id, 'Two **kingfishers**')
    const begun = { name: 'At the weir', message_id: (await say(ben, channel_id, 'The weir')).id }
    const thread = (await ben.post(`/api/channels/${channel_id}/threads`, begun)).body
    const first = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await first.button('Members').click()
    await act(first, 'kingfishers', 'Forward')
    // Into a thread that the account does not follow.
    await first.field('Search channels and people').fill('weir')
    await first.sees(first.page.locator('.places').getByText('#general · Birdwatchers'))
    await shoot(first, 'forward-thread')
    await first.page.getByRole('radio').check()
    await first.button('Forward').last().click()
    await first.sees('Forwarded.')
    const [inThread] = (await ben.get(`/api/channels/${thread.id}/messages`)).body
    expect(inThread.forwarded).toMatchObject({ message_id: original.id, content: 'Two **kingfishers**' })
    await act(first, 'kingfishers', 'Forward')
    await first.field('Search channels and people').fill('notes')
    await first.page.getByRole('radio').check()
    await first.field('Comment').fill('Look at this')
    expect(await faultsOf(first)).toEqual([])
    await shoot(first, 'forward')
    await first.button('Forward').last().click()
    await first.sees('Forwarded.')
    await first.link('field-notes').click()
    const row = first.message('Look at this')
    await first.sees(row.locator('.forwarded strong', { hasText: 'kingfishers' }))
    await first.sees(row.locator('.forwarded', { hasText: ben.display_name }))
    await shoot(first, 'forwarded')
    await row.getByRole('link', { name: 'Go to the original' }).click()
    await first.sees(first.page.locator(`.message[data-id="${original.id}"]`))
    await ben.delete(`/api/messages/${original.id}`)
    await first.link('field-notes').click()
    await first.sees(first.message('Look at this').getByText('The original message was deleted'))
    await first.leave()
  },
)
