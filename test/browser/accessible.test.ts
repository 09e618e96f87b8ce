import { expect } from 'bun:test'
import { say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { type Scene, setScene } from '../support/browser/scene.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { post, webhook } from '../support/webhooks.ts'

const parley = await standard()
const browser = await openBrowser()

const press = (name: string) => async (visitor: Visitor) =>
  visitor.page.getByRole('button', { name, exact: true }).first().click()
/** Waits until what a step opens is there: its code may load late, and would open above the next page. */
const opening = (step: (visitor: Visitor) => Promise<unknown>) => async (visitor: Visitor) => {
  await step(visitor)
  await visitor.sees(visitor.page.locator('dialog[open], .menu').last())
}
const settings = (tab: string) => async (visitor: Visitor) => {
  await visitor.inServerMenu('Server settings')
  await press(tab)(visitor)
}

type Pages = Record<string, [path: string, open?: (visitor: Visitor) => Promise<unknown>]>

/** Adds more kinds of content: a mention, code, a spoiler, reactions, an embed. */
async function decorate({ alice, bob, channel_id }: Scene): Promise<void> {
  const code = '```ts\nconst seen = 2 // kingfishers\n```'
  const { id } = await say(bob, channel_id, `<@${alice.id}> ||the nest|| > here\n${code}`)
  await alice.put(`/api/messages/${id}/reactions/🎉/@me`)
  await bob.put(`/api/messages/${id}/reactions/👍/@me`)
  const { url } = await webhook(alice, channel_id)
  const fields = [{ name: 'Level', value: '**2 m**', inline: true }]
  const embed = {
    title: 'The weir',
    url: 'https://example.org/weir',
    description: 'It rises.',
    color: 0xc0562b,
    fields,
  }
  expect((await post(alice, url, { embeds: [embed] })).status).toBe(204)
}

/** The pages: the path of each, and the steps that open it. */
const pagesOf = ({ server_id, channel_id, bob }: Scene): Pages => {
  const channel = `/app/servers/${server_id}/channels/${channel_id}`
  return {
    friends: ['/app'],
    requests: ['/app', async (visitor) => visitor.button(/^Requests/).click()],
    'find people': ['/app', press('Find people')],
    conversation: [`/app/dm/${bob.id}`],
    channel: [channel, async (visitor) => visitor.message('tea').hover()],
    'new server': [channel, opening(press('Add a server'))],
    'new invite': [channel, opening((visitor) => visitor.inServerMenu('Invite people'))],
    profile: [channel, opening((visitor) => visitor.page.locator('.byline .name', { hasText: 'Bob' }).first().click())],
    viewer: [channel, opening(press('Open kingfisher.webp'))],
    'message menu': [
      channel,
      opening(async (visitor) => {
        await visitor.message('tea').hover()
        await visitor.button('More actions').click()
      }),
    ],
    settings: [channel, opening(press('Settings'))],
    switcher: [channel, opening((visitor) => visitor.page.keyboard.press('Control+k'))],
    shortcuts: [channel, opening((visitor) => visitor.page.keyboard.press('Control+/'))],
  }
}

/** The settings of a server and of its channel. */
const settingsOf = ({ server_id, channel_id }: Scene): Pages => {
  const channel = `/app/servers/${server_id}/channels/${channel_id}`
  return {
    overview: [channel, settings('Overview')],
    roles: [channel, settings('Roles')],
    'permission explanation': [channel, settings('Explain permissions')],
    invites: [channel, settings('Invites')],
    bans: [channel, settings('Bans')],
    'audit log': [channel, settings('Audit log')],
    overwrites: [
      channel,
      async (visitor) => {
        await press('Settings of #general')(visitor)
        await press('Permissions')(visitor)
      },
    ],
  }
}

/** The actions on messages: the steps that open each in the channel. */
const screensOf = ({ server_id, channel_id }: Scene): Pages => {
  const channel = `/app/servers/${server_id}/channels/${channel_id}`
  return {
    unread: ['/app'],
    reactions: [channel, async (visitor) => visitor.sees(visitor.message('It rises'))],
    'who reacted': [
      channel,
      async (visitor) => {
        await visitor.button('👍: 1 reaction').click({ button: 'right' })
        await visitor.sees(visitor.page.locator('dialog li'))
      },
    ],
    inbox: [
      channel,
      async (visitor) => {
        await press('Show inbox')(visitor)
        await visitor.sees(visitor.page.locator('dialog .message'))
      },
    ],
    saved: [
      channel,
      async (visitor) => {
        await visitor.message('tea').hover()
        await visitor.act('Save message')
        await visitor.sees('Remind me')
      },
    ],
    'saved list': [
      channel,
      async (visitor) => {
        await press('Show inbox')(visitor)
        await visitor.button('Saved').click()
        await visitor.sees(visitor.button('Remove from saved'))
      },
    ],
    notifications: [channel, opening(press('Notifications'))],
    dates: [channel, opening(press('Jump to a date'))],
    // This must be the last: the messages stay selected.
    selecting: [
      channel,
      async (visitor) => {
        await visitor.message('tea').hover()
        await visitor.act('Select messages')
        await visitor.sees('1 message selected')
      },
    ],
  }
}

/** The faults of pages, which are opened one after another. */
async function faultsIn(visitor: Visitor, pages: Pages): Promise<string[]> {
  const faults: string[] = []
  for (const [name, [path, go]] of Object.entries(pages)) {
    const above = visitor.page.locator('dialog, .menu')
    if ((await above.count()) > 0) await visitor.page.keyboard.press('Escape')
    await visitor.until(async () => (await above.count()) === 0)
    if (new URL(visitor.page.url()).pathname !== path) await visitor.page.goto(parley.url + path)
    await visitor.sees(visitor.page.getByRole('heading', { level: 1 }))
    if (path.includes('channels')) await visitor.sees(visitor.message('tea'))
    await go?.(visitor)
    await visitor.until(async () => (await visitor.page.locator('.loading').count()) === 0)
    if (name === 'permission explanation') await visitor.sees(visitor.page.locator('.checks li').first())
    faults.push(...(await faultsOf(visitor)).map((fault) => `${name} ${fault}`))
  }
  return faults
}

browserTest(browser, 'axe-core finds no fault on the pages of strangers, light and dark', async (chromium) => {
  for (const path of ['/login', '/register', '/design']) {
    const stranger = await Visitor.stranger(chromium, parley, path)
    await stranger.sees(stranger.page.getByRole('heading').first())
    await shootThemes(stranger, path.slice(1))
    expect(await faultsOf(stranger), path).toEqual([])
    await stranger.leave()
  }
})

browserTest(browser, 'axe-core finds no fault on the pages of members, light and dark', async (chromium) => {
  const scene = await setScene(parley)
  const visitor = await Visitor.as(chromium, scene.alice)
  expect(await faultsIn(visitor, pagesOf(scene))).toEqual([])
  await visitor.leave()
})

browserTest(browser, 'axe-core finds no fault in the settings of a server, light and dark', async (chromium) => {
  const scene = await setScene(parley)
  const visitor = await Visitor.as(chromium, scene.alice)
  expect(await faultsIn(visitor, settingsOf(scene))).toEqual([])
  await visitor.leave()
})

browserTest(browser, 'axe-core finds no fault in the actions on messages', async (chromium) => {
  const scene = await setScene(parley)
  await decorate(scene)
  const visitor = await Visitor.as(chromium, scene.alice)
  expect(await faultsIn(visitor, screensOf(scene))).toEqual([])
  await visitor.leave()
})

browserTest(browser, 'messages can be sent, reached and deleted by keyboard', async (chromium) => {
  const { alice, server_id, channel_id } = await setScene(parley)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.message('tea'))
  const { keyboard } = visitor.page
  await keyboard.type('by hand')
  await keyboard.press('Enter')
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'by hand' }))
  const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent ?? '')
  const label = () => visitor.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  // From the composer to the messages, to the previous message, and to its actions.
  await visitor.page.locator('.messages .scroll').focus()
  await keyboard.press('ArrowUp')
  expect(await focused()).toContain('by hand')
  await keyboard.press('ArrowUp')
  expect(await focused()).toContain('I timed it')
  await keyboard.press('ArrowDown')
  const actions = visitor.page.locator('.message:focus-within', { hasText: 'by hand' })
  await visitor.sees(actions.getByRole('button', { name: 'More actions' }))
  for (let n = 0; n < 12 && (await label()) !== 'More actions'; n++) await keyboard.press('Tab')
  await keyboard.press('Enter')
  await visitor.sees(visitor.page.getByRole('menu'))
  await keyboard.press('End')
  await keyboard.press('Enter')
  const confirmation = visitor.page.getByRole('dialog').getByRole('button', { name: 'Delete message' })
  await visitor.sees(confirmation)
  // The text of the page, or of the dialog, contains the words, too.
  const isOnIt = () => confirmation.evaluate((button) => button === document.activeElement)
  for (let n = 0; n < 6 && !(await isOnIt()); n++) await keyboard.press('Tab')
  await keyboard.press('Enter')
  await visitor.misses(visitor.message('by hand'))
  await visitor.misses(visitor.page.locator('dialog'))
  await keyboard.press('Tab')
  const outline = await visitor.page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
  expect(outline).toBe('solid')
  await visitor.leave()
})

browserTest(
  browser,
  'new messages of the open channel are announced to screen readers, loaded ones are not',
  async (chromium) => {
    const { alice, bob, server_id, channel_id } = await setScene(parley)
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.message('tea'))
    const live = visitor.page.locator('.messages > [aria-live=polite]').first()
    expect(await live.textContent()).toBe('')
    await bob.post(`/api/channels/${channel_id}/messages`, { content: 'An osprey' })
    await visitor.until(async () => (await live.textContent()) === 'Bob: An osprey')
    await visitor.leave()
  },
)
