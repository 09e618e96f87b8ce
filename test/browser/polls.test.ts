import { expect } from 'bun:test'
import { newServer, person, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const poll = {
    question: 'Which day suits you for the long walk along the river?',
    answers: [{ text: 'Saturday', emoji: '🥾' }, { text: 'Sunday, if it does not rain in the morning, else never' }],
  }
  const { body } = await alice.post(`/api/channels/${channel_id}/messages`, { poll })
  return { alice, bob, id: body.id as number, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

browserTest(
  browser,
  'a poll is voted in by keyboard, and axe-core finds no fault before or after',
  async (chromium) => {
    const { bob, id, path } = await scene()
    const visitor = await Visitor.as(chromium, bob, path)
    const { page } = visitor
    await visitor.sees(page.getByRole('radio', { name: /Saturday/ }))
    expect(await faultsOf(visitor)).toEqual([])
    await page.getByRole('radio', { name: /Saturday/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await visitor.sees(page.getByRole('img', { name: 'Your vote' }))
    expect((await bob.get(`/api/messages/${id}`)).body.poll.mine.answer_ids).toEqual([2])
    expect(await faultsOf(visitor)).toEqual([])
    await visitor.leave()
  },
)

browserTest(browser, 'on a phone a poll and its dialog fit, and the poll takes the place of Send', async (chromium) => {
  const { alice, path } = await scene()
  const visitor = await Visitor.as(chromium, alice, path, { viewport: { width: 360, height: 740 }, hasTouch: true })
  const { page } = visitor
  await visitor.sees(page.getByRole('radio', { name: /Saturday/ }))
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  expect(await fits()).toBeTrue()
  expect(await visitor.button('Send').isVisible()).toBeFalse()
  await visitor.button('Create poll').click()
  await visitor.sees(page.getByRole('dialog', { name: 'Create poll' }))
  expect(await fits()).toBeTrue()
  expect(await faultsOf(visitor)).toEqual([])
  await page.keyboard.press('Escape')
  await visitor.composer().fill('Hello')
  await visitor.sees(page.getByRole('button', { name: 'Send', exact: true }))
  await visitor.leave()
})
