import { expect } from 'bun:test'
import { person, newServer, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'the field follows the direction of its text, code keeps its lines and its indentation',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.page.locator('.beginning'))
    const { keyboard } = visitor.page
    const newest = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]?.content
    const direction = () =>
      visitor.page
        .locator('.mention-field > *')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).direction))
    await visitor.composer().fill('abc')
    expect(await direction()).toEqual(['ltr', 'ltr'])
    await visitor.composer().fill('שלום')
    expect(await direction()).toEqual(['rtl', 'rtl'])

    await visitor.composer().fill('')
    await keyboard.type('```')
    await keyboard.press('Enter')
    await keyboard.type('  one')
    await keyboard.press('Enter')
    await keyboard.type('```')
    expect(await visitor.composer().inputValue()).toBe('```\n  one\n```')
    await keyboard.press('Enter')
    await visitor.until(async () => (await newest()) === '```\n  one\n```')
    await visitor.composer().fill('\n  \n    two\n  three \n\n')
    await keyboard.press('Enter')
    await visitor.until(async () => (await newest()) === '    two\n  three')

    // The field of an edit has both, too.
    await visitor.composer().press('ArrowUp')
    await keyboard.press('Control+a')
    await keyboard.type('```')
    await keyboard.press('Enter')
    await keyboard.type('four')
    await keyboard.press('Enter')
    await keyboard.type('```')
    await keyboard.press('Enter')
    await visitor.until(async () => (await newest()) === '```\nfour\n```')
    await visitor.leave()
  },
)

browserTest(
  browser,
  'undo goes past a picked mention and an emoji, and a restored mention mentions again',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    await bob.put('/api/auth/display-name', { display_name: 'Bob' })
    const { server_id, channel_id } = await newServer(alice, bob)
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.until(async () => (await visitor.page.locator('.members li').count()) === 2)
    const { keyboard } = visitor.page
    const value = () => visitor.composer().inputValue()
    await visitor.composer().pressSequentially('Hi @bo')
    await visitor.sees(visitor.page.getByRole('option', { name: 'Bob' }))
    await keyboard.press('Enter')
    expect(await value()).toBe('Hi @Bob ')
    await keyboard.type('and :tada')
    await visitor.sees(visitor.page.getByRole('option'))
    await keyboard.press('Enter')
    await visitor.until(async () => (await value()).includes('🎉'))
    const steps = [await value()]
    for (let n = 0; n < 40 && steps.at(-1) !== ''; n++) {
      await keyboard.press('Control+z')
      steps.push(await value())
    }
    expect(steps).toContain('Hi @bo')
    expect(steps.at(-1)).toBe('')
    for (let n = 0; n < 40 && (await value()) !== steps[0]; n++) await keyboard.press('Control+Shift+z')
    expect(await value()).toBe(steps[0] as string)
    await keyboard.press('Enter')
    const newest = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]?.content ?? ''
    await visitor.until(async () => (await newest()).startsWith(`Hi <@${bob.id}> and `))
    await visitor.leave()
  },
)

/** Runs before the page's scripts: the clock of the device is an hour fast. */
function hurryClock(): void {
  const now = Date.now
  Date.now = () => now.call(Date) + 3_600_000
}

browserTest(
  browser,
  'slowmode, mutes and time-outs go by the clock of the server, however wrong the device’s clock',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    await alice.put(`/api/channels/${channel_id}`, { slowmode_seconds: 600 })
    const muted_until = new Date(Date.now() + 1_800_000).toISOString()
    await bob.put(`/api/notifications/channels/${other.id}`, { muted_until })
    const visitor = await Visitor.as(chromium, bob, '/login')
    await visitor.page.addInitScript(hurryClock)
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.page.locator('.beginning'))
    await visitor.say('once')
    await visitor.sees(/^Slowmode: you can write again/)
    await visitor.page.reload()
    await visitor.sees(visitor.message('once'))
    await visitor.sees(/^Slowmode: you can write again in (9|10) minutes/)
    await visitor.sees(visitor.link(/^other.*muted/))
    await visitor.leave()

    // A time-out of five minutes.
    const moderator = await Visitor.as(chromium, alice, '/login')
    await moderator.page.addInitScript(hurryClock)
    await moderator.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
    await moderator.opensMenus()
    await moderator.page.locator('.members button', { hasText: bob.display_name }).click({ button: 'right' })
    await moderator.page.getByRole('menuitem', { name: 'Time out' }).click()
    await moderator.page.locator('dialog').getByRole('button', { name: 'Time out' }).click()
    await moderator.misses(moderator.page.locator('dialog'))
    const members: any[] = (await alice.get(`/api/servers/${server_id}/members`)).body
    const { timed_out_until } = members.find(({ user }) => user.id === bob.id)
    expect(Date.parse(timed_out_until) - Date.now()).toBeWithin(0, 300_001)
    await moderator.leave()
  },
)
