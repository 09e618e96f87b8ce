import { expect } from 'bun:test'
import { person, room } from '../support/harness.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const browser = await openBrowser()

browserTest(
  browser,
  'two people call each other from their pages, hear who speaks, mute, and share a screen',
  async (chromium) => {
    const parley = await bootCalls()
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id } = await room(ann, ben)
    const voice = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
    const path = `/app/servers/${server_id}/channels/${voice.id}`
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participant', { hasText: ann.display_name }))
    await second.button('Join voice').click()
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.sees(second.page.locator('.inside.speaking', { hasText: ann.display_name }))
    await first.sees('Direct connection')

    await second.button('Mute').first().click()
    await first.sees(first.page.locator('.participant', { hasText: ben.display_name }).getByLabel('muted'))
    await first.misses(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.button('Unmute').click()

    await first.button('Share screen').click()
    await second.button('Watch screen').click()
    await second.until(() => second.page.evaluate(() => (document.querySelector('video')?.videoWidth ?? 0) > 0))
    await first.button('Stop sharing').click()
    await second.misses(second.page.locator('video'))
    await second.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await second.button('Calls').click()
    await second.button('Choose microphone and loudspeaker').click()
    const microphones = second.field('Microphone')
    await second.sees(microphones)
    expect(await microphones.locator('option').count()).toBeGreaterThan(1)
    await microphones.selectOption({ index: 1 })
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.button('Test my connection').click()
    for (const transport of ['UDP', 'TCP'])
      await second.sees(second.page.locator('.checks .yes', { hasText: transport }).getByText('open'))
    await second.button('Close').click()

    // Messages arrive during a call, and the call goes on while another channel is open.
    await first.link('general').click()
    await first.sees(first.page.getByRole('region', { name: 'Voice call' }))
    await first.button('Leave the call').click()
    await second.misses(second.page.locator('.participant', { hasText: ann.display_name }))
    for (const visitor of [first, second]) await visitor.leave()
  },
)
