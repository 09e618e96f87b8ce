import { expect } from 'bun:test'
import { person } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { until } from '../support/until.ts'

const browser = await openBrowser()
const parley = await bootCalls()
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true }

browserTest(
  browser,
  'a status is chosen by keys alone, and on a phone, where a screen reader reads it',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const desk = await Visitor.as(chromium, ann)
    const status = desk.page.getByRole('dialog', { name: 'Your status' })
    await desk.page.getByRole('button', { name: '@' + ann.username }).focus()
    await desk.page.keyboard.press('Enter')
    await desk.sees(status)
    await status.getByRole('radio', { name: 'Online' }).focus()
    for (const key of ['ArrowDown', 'ArrowDown']) await desk.page.keyboard.press(key)
    await desk.until(() => status.getByRole('radio', { name: 'Do not disturb' }).isChecked())
    for (const key of ['Tab', 'Tab']) await desk.page.keyboard.press(key)
    await desk.page.keyboard.type('Counting')
    expect(await status.getByRole('textbox').inputValue()).toBe('Counting')
    expect(await faultsOf(desk)).toEqual([])
    await shootThemes(desk, 'status')
    await desk.page.keyboard.press('Enter')
    await desk.misses(status)
    expect((await ann.get('/api/auth/status')).body).toMatchObject({ status: 'dnd', text: 'Counting' })
    const mobile = await Visitor.as(chromium, ann, '/app', phone)
    await mobile.page.getByRole('link', { name: 'You' }).or(mobile.button('You')).tap()
    await mobile.button('Your status').tap()
    const onPhone = mobile.page.getByRole('dialog', { name: 'Your status' })
    await onPhone.getByRole('button', { name: 'Choose an emoji' }).tap()
    await mobile.page.locator('dialog.picker .choice').first().tap()
    await onPhone.getByRole('radio', { name: 'Idle at all times' }).tap()
    expect(await faultsOf(mobile)).toEqual([])
    await shootThemes(mobile, 'status-phone')
    await onPhone.getByRole('button', { name: 'Save' }).tap()
    await mobile.misses(onPhone)
    expect((await ann.get('/api/auth/status')).body).toMatchObject({ status: 'idle', emoji: expect.any(String) })
    for (const visitor of [desk, mobile]) await visitor.leave()
  },
)

browserTest(browser, 'an invisible person reads before a call that others will see them', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const { channel_id } = await write(ben, ann, 'Call me')
  await ann.put('/api/auth/status', { status: 'invisible' })
  const inCall = async () => (await ben.get(`/api/channels/${channel_id}/voice-states`)).body.length
  const hers = await Visitor.as(chromium, ann, `/c/${channel_id}`)
  const question = hers.page.getByRole('dialog', { name: 'Others will see you' })
  await hers.button('Start a call').click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await hers.misses(question)
  expect(await inCall()).toBe(0)
  await hers.button('Start a call').click()
  await question.getByRole('button', { name: 'Join the call' }).click()
  await until(async () => (await inCall()) === 1)
  await hers.button('Leave the call').click()
  await hers.leave()
})
