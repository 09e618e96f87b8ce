import { expect } from 'bun:test'
import { newServer, person, say } from '../../harness.ts'
import { Visitor } from '../visitor.ts'
import type { Story } from './story.ts'

/** A person without a mouse. */
export const keyboardOnly: Story = {
  claim: 'by keyboard only a person changes the channel, writes, edits, replies, and reads the help',
  async run(browser, parley) {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const trips = await ann.post(`/api/servers/${server_id}/channels`, { name: 'trips', type: 'text' })
    await say(ben, trips.body.id, 'On Sunday?')
    const visitor = await Visitor.as(browser, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    const { keyboard } = visitor.page
    await visitor.sees(visitor.page.locator('.beginning'))
    await keyboard.press('Control+k')
    await visitor.sees(visitor.page.locator('dialog.switcher'))
    await keyboard.type('trips')
    await visitor.sees(visitor.page.getByRole('option', { name: /trips/ }))
    await keyboard.press('Enter')
    await visitor.misses(visitor.page.locator('dialog.switcher'))
    await visitor.sees(visitor.message('On Sunday?'))
    const focus = () => visitor.page.evaluate(() => document.activeElement?.tagName ?? '')
    await visitor.until(async () => (await focus()) === 'TEXTAREA')
    await keyboard.type('At nine')
    await keyboard.press('Enter')
    await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'At nine' }))
    await keyboard.press('ArrowUp')
    await visitor.sees(visitor.field('Edit message'))
    await keyboard.press('End')
    await keyboard.type('?')
    await keyboard.press('Enter')
    await visitor.sees(visitor.message('At nine?').getByText('(edited)'))
    // From the field back to the newest message, past its buttons.
    await visitor.until(async () => (await focus()) === 'TEXTAREA')
    const row = () =>
      visitor.page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.matches('.message') ? activeElement.textContent : ''
      })
    for (let n = 0; n < 20 && (await row()) === ''; n++) await keyboard.press('Shift+Tab')
    expect(await row()).toContain('At nine?')
    await keyboard.press('ArrowUp')
    expect(await row()).toContain('On Sunday?')
    await keyboard.press('r')
    await visitor.until(async () => (await focus()) === 'TEXTAREA')
    await keyboard.type('Gladly')
    await keyboard.press('Enter')
    await visitor.sees(visitor.message('Gladly').locator('.quoted', { hasText: 'On Sunday?' }))
    await keyboard.press('Control+/')
    await visitor.sees(visitor.page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    await keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('dialog'))
    await keyboard.press('Alt+ArrowUp')
    await visitor.sees(visitor.page.getByRole('heading', { name: 'general', level: 1 }))
    await visitor.leave()
  },
}
