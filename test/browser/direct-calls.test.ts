import { expect } from 'bun:test'
import { type Person, person, newServer, say } from '../support/harness.ts'
import { befriend, group, persons, write } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png } from '../support/uploads.ts'

const browser = await openBrowser()
const parley = await bootCalls()
const phone = { viewport: { width: 390, height: 800 } }
/** The card of an incoming call. */
const ringing = ({ page }: Visitor) => page.getByRole('region', { name: 'Incoming calls' })
const speaks = (visitor: Visitor, who: Person) =>
  visitor.sees(visitor.page.locator('.participants .speaking', { hasText: who.display_name }))

browserTest(
  browser,
  'a call rings on every device of the other, is accepted on one, and each hears the other',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ben, ann, 'Call me')
    const first = await Visitor.as(chromium, ann, `/c/${channel_id}`)
    const desk = await Visitor.as(chromium, ben)
    const mobile = await Visitor.as(chromium, ben, `/c/${channel_id}`, phone)
    await mobile.sees(mobile.message('Call me'))
    await desk.button('Settings').first().click()
    await first.button('Start a call').click()
    await first.sees('Waiting for someone to answer')
    // The card also appears above an open dialog.
    for (const device of [desk, mobile]) await device.sees(`${ann.display_name} is calling`)
    await shootThemes(desk, 'ringing')
    await shootThemes(mobile, 'ringing-phone')
    expect(await faultsOf(mobile)).toEqual([])
    await ringing(desk).getByRole('button', { name: 'Accept' }).click()
    for (const device of [desk, mobile]) await device.misses(ringing(device).locator('.call'))
    await speaks(first, ben)
    await speaks(desk, ann)
    await shootThemes(first, 'stage')
    await shootThemes(mobile, 'stage-phone')
    await mobile.sees(mobile.button('Join the call'))

    await first.button('Leave the call').click()
    await desk.button('Leave the call').click()
    await desk.sees(desk.page.locator('.notice', { hasText: 'started a call that lasted' }))
    await desk.sees(desk.button('Start a call'))
    await shootThemes(desk, 'notice')
    await shootThemes(mobile, 'notice-phone')
    for (const visitor of [first, desk, mobile]) await visitor.leave()
  },
)

browserTest(browser, 'an answered call asks before unsaved settings are lost, and is joined', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const { channel_id } = await write(ben, ann, 'Call me')
  const first = await Visitor.as(chromium, ann, `/c/${channel_id}`)
  const second = await Visitor.as(chromium, ben, '/app')
  await second.button('Settings').click()
  await second.field('Display name').fill('Owl')
  await first.button('Start a call').click()
  await ringing(second).getByRole('button', { name: 'Accept' }).click()
  const question = second.page.getByRole('dialog', { name: 'Discard your changes?' })
  await second.sees(question)
  await speaks(first, ben)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await second.misses(question)
  expect(await second.field('Display name').inputValue()).toBe('Owl')
  for (const visitor of [first, second]) await visitor.leave()
})

browserTest(
  browser,
  'a declined call ends for the caller, and counts as missed; keys answer, too',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ben, ann, 'Call me')
    const first = await Visitor.as(chromium, ann, `/c/${channel_id}`)
    const second = await Visitor.as(chromium, ben, `/c/${channel_id}`)
    await second.sees(second.message('Call me'))
    await first.button('Start a call').click()
    await ringing(second).getByRole('button', { name: 'Decline' }).focus()
    await second.page.keyboard.press('Escape')
    await first.sees(`${ben.display_name} declined the call.`)
    await second.sees(second.page.locator('.notice.missed', { hasText: `You missed a call from ${ann.display_name}.` }))
    await first.sees(first.page.locator('.notice', { hasText: 'Nobody answered your call.' }))
    expect(await second.page.locator('.sidebar li.unread').count()).toBe(0)

    // A page that opens during the ring rings, too.
    const party = await group(ann, ...(await Promise.all(['cat', 'dan'].map((name) => person(parley, name)))))
    await ann.put(`/api/channels/${party}`, { name: 'Owls' })
    await ann.put(`/api/channels/${party}/recipients/${ben.id}`)
    const third = await Visitor.as(chromium, ann, `/c/${party}`)
    await third.button('Start a call').click()
    await second.sees(`${ann.display_name} is calling in Owls`)
    const late = await second.tab('/app')
    await late.sees(`${ann.display_name} is calling in Owls`)
    await second.composer().focus()
    await second.page.keyboard.press('Control+Enter')
    await speaks(second, ann)
    await late.misses(ringing(late).locator('.call'))
    await second.sees(second.page.locator('h1', { hasText: 'Owls' }))
    for (const visitor of [first, second, third]) await visitor.leave()
  },
)

browserTest(
  browser,
  'on a phone a group gets a picture and another friend, its call is answered, a thread begun, and the group left',
  async (chromium) => {
    const [ann, ben, cat, dan] = await persons(parley, 'ann', 'ben', 'cat', 'dan')
    const party = await group(ann, ben, cat)
    await ann.put(`/api/channels/${party}`, { name: 'Owls' })
    await befriend(ben, dan)
    const desk = await Visitor.as(chromium, ann, `/c/${party}`)
    const mobile = await Visitor.as(chromium, ben, `/c/${party}`, { ...phone, hasTouch: true, isMobile: true })
    const { page } = mobile
    const tap = (name: string) => mobile.button(name).first().tap()
    const tool = async (name: string) => {
      await tap('More about this place')
      await tap(name)
    }
    await mobile.sees(page.locator('h1', { hasText: 'Owls' }))

    await tool('Group settings')
    const choosing = page.waitForEvent('filechooser')
    await tap('Change picture')
    await (await choosing).setFiles({ name: 'owl.png', mimeType: 'image/png', buffer: Buffer.from(await png(64, 64)) })
    await mobile.sees(page.locator('dialog img'))
    await shootThemes(mobile, 'group-settings-phone')
    expect(await faultsOf(mobile)).toEqual([])
    await tap('Close')
    await desk.sees(desk.page.locator('header.bar img'))
    await tool('Add people')
    await page.getByRole('checkbox', { name: new RegExp(dan.display_name) }).tap()
    await page.locator('dialog').getByRole('button', { name: 'Add people' }).tap()
    await desk.sees('4 people')
    await mobile.misses(page.locator('dialog'))

    await desk.button('Start a call').click()
    await mobile.sees(`${ann.display_name} is calling in Owls`)
    await ringing(mobile).getByRole('button', { name: 'Accept' }).tap()
    await speaks(desk, ben)
    await shootThemes(mobile, 'group-call-phone')
    await tap('Leave the call')
    await desk.button('Leave the call').click()
    await mobile.sees(page.locator('.notice', { hasText: 'started a call that lasted' }))

    const { channel_id } = await newServer(ann, ben)
    await say(ann, channel_id, 'A kingfisher at the weir')
    await page.goto(`${parley.url}/c/${channel_id}`)
    await mobile.hold('at the weir', 'Start a thread')
    await mobile.field('Thread name').fill('Kingfishers')
    await page.locator('dialog').getByRole('button', { name: 'Start a thread' }).tap()
    const panel = page.getByRole('complementary', { name: 'Thread Kingfishers' })
    await panel.locator('.composer textarea').fill('On the third post')
    await panel.getByRole('button', { name: 'Send', exact: true }).tap()
    await mobile.sees(panel.locator('.message', { hasText: 'third post' }))
    await tap('Close the thread')
    await mobile.sees(page.locator('.thread-line', { hasText: 'Kingfishers' }))

    await page.goto(`${parley.url}/c/${party}`)
    await tool('Group settings')
    await tap('Leave the group')
    await page.getByRole('dialog', { name: 'Leave the group' }).getByRole('button', { name: 'Leave the group' }).tap()
    await desk.sees('3 people')
    await mobile.misses(page.locator('.sidebar li', { hasText: 'Owls' }))
    for (const visitor of [desk, mobile]) await visitor.leave()
  },
)
