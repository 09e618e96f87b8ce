import { expect } from 'bun:test'
import { newServer, person, say } from '../../harness.ts'
import { befriend, write } from '../../people.ts'
import { Visitor } from '../visitor.ts'
import type { Story } from './story.ts'

/** Reactions of two people. */
export const reacting: Story = {
  claim: 'people react by a click and by the picker, and take their reaction back',
  async run(browser, parley) {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { id } = await say(bob, channel_id, 'Two kingfishers')
    await bob.put(`/api/messages/${id}/reactions/👍/@me`)
    const visitor = await Visitor.as(browser, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const row = visitor.message('Two kingfishers')
    const reactions = row.locator('.reactions')
    await visitor.sees(reactions.getByRole('button', { name: '👍' }))
    await reactions.getByRole('button', { name: '👍' }).click()
    await visitor.sees(row.getByRole('button', { name: '👍: 2 reactions, including yours', pressed: true }))
    await row.hover()
    await row.getByRole('button', { name: 'Add a reaction' }).first().click()
    const search = visitor.page.getByRole('combobox', { name: 'Search emoji' })
    await search.fill('owl')
    await visitor.sees(visitor.page.getByRole('option', { name: 'owl', exact: true }))
    await search.press('Enter')
    await visitor.sees(row.getByRole('button', { name: '🦉: 1 reaction', pressed: true }))
    await row.getByRole('button', { name: '🦉: 1 reaction' }).click()
    await visitor.misses(reactions.getByRole('button', { name: '🦉' }))
    await visitor.until(async () => (await bob.get(`/api/messages/${id}`)).body.reactions.length === 1)
    await visitor.leave()
  },
}

/** Search in a server. */
export const searching: Story = {
  claim: 'a message is found by its words and its sender, and a result leads to its place',
  async run(browser, parley) {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    await bob.put('/api/auth/display-name', { display_name: 'Bob' })
    const { server_id, channel_id } = await newServer(alice, bob)
    await say(bob, channel_id, 'A lapwing over the marsh')
    for (let n = 1; n <= 40; n++) await say(alice, channel_id, `Lapwing number ${n}`)
    await parley.sweep()
    expect((await alice.post(`/api/servers/${server_id}/read-all`)).status).toBe(204)
    const visitor = await Visitor.as(browser, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.message('number 40'))
    await visitor.page.keyboard.press('Control+f')
    const field = visitor.page.getByRole('combobox', { name: 'Search messages' })
    await field.fill('lapwing')
    await visitor.sees('25 or more messages')
    await field.fill('from:Bob lapwing')
    await visitor.sees('1 message')
    const result = visitor.page.locator('.result', { hasText: 'over the marsh' })
    expect(await result.locator('mark').first().textContent()).toBe('lapwing')
    await result.click()
    await visitor.sees(visitor.message('over the marsh'))
    await visitor.until(async () => {
      const { y = -1 } = (await visitor.message('over the marsh').first().boundingBox()) ?? {}
      return y > 0 && y < 800
    })
    await visitor.leave()
  },
}

/** A thread at a message. */
export const threading: Story = {
  claim: 'a thread is begun at a message, and two people write in it',
  async run(browser, parley) {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await say(ann, channel_id, 'A kingfisher at the lower weir!')
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [first, second] = [await Visitor.as(browser, ann, path), await Visitor.as(browser, ben, path)]
    await first.message('lower weir').hover()
    await first.button('Start a thread').click()
    await first.field('Thread name').fill('Kingfishers')
    await first.page.locator('dialog').getByRole('button', { name: 'Start a thread' }).click()
    const panel = (visitor: Visitor) => visitor.page.getByRole('complementary', { name: 'Thread Kingfishers' })
    const writeIn = async (visitor: Visitor, text: string) => {
      const box = panel(visitor).locator('.composer textarea')
      await box.fill(text)
      await box.press('Enter')
      await visitor.sees(panel(visitor).locator('.message', { hasText: text }))
    }
    await writeIn(first, 'It sat on the third post.')
    const line = second.page.locator('.thread-line', { hasText: 'Kingfishers' })
    await second.sees(line.getByText('1 message'))
    await line.click()
    await second.sees(panel(second).locator('.message', { hasText: 'third post' }))
    await writeIn(second, 'With a fish!')
    await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))
    await second.button('Close the thread').click()
    await second.misses(panel(second))
    for (const visitor of [first, second]) await visitor.leave()
  },
}

/** Direct messages. */
export const writingDirectly: Story = {
  claim: 'friends write to each other, and an unread direct message is counted until it is read',
  async run(browser, parley) {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ben, ann, 'Are you coming on Sunday?')
    const [first, second] = [await Visitor.as(browser, ann), await Visitor.as(browser, ben, `/c/${channel_id}`)]
    // Only the window in front reads, and Firefox knows which one that is.
    await first.page.bringToFront()
    const row = first.page.locator('.sidebar li', { hasText: ben.display_name })
    await first.sees(first.page.locator('.sidebar .unread', { hasText: ben.display_name }))
    await row.getByRole('link').click()
    await first.sees(first.message('on Sunday?'))
    await first.misses(first.page.locator('.sidebar .unread'))
    await first.say('Yes! I bring the telescope.')
    await second.sees(second.message('the telescope'))
    await second.say('Tea, too')
    await first.sees(first.message('Tea, too'))
    for (const visitor of [first, second]) await visitor.leave()
  },
}
