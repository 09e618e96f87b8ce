import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import { applicationWords } from '../../src/web/words/applications.ts'
import { callWords } from '../../src/web/words/call.ts'
import { friendWords } from '../../src/web/words/friends.ts'
import { operatorWords } from '../../src/web/words/operator.ts'
import { actionWords } from '../../src/web/words/actions.ts'
import { words } from '../../src/web/words/words.ts'
import { Inspection } from '../support/browser/inspection.ts'
import { pseudo } from '../support/browser/pseudo-locale.ts'
import { namesAround, type Scene, setScene } from '../support/browser/scene.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { boot, type Person, person, say, standard, stop, until } from '../support/harness.ts'
import { promote } from '../support/operators.ts'
import { group } from '../support/people.ts'

const parley = await standard()
const browser = await openBrowser()

/** Screens by name, with the steps that open each on the current page. */
type Screens = Record<string, (visitor: Visitor) => Promise<unknown>>

const press =
  (name: string, ...values: unknown[]) =>
  async (visitor: Visitor) =>
    visitor.page
      .getByRole('button', { name: pseudo(name, values), exact: true })
      .first()
      .click()
const choose = (name: string) => async (visitor: Visitor) =>
  visitor.page.getByRole('menuitem', { name: pseudo(name) }).click()
const inTurn =
  (...steps: ((visitor: Visitor) => Promise<unknown>)[]) =>
  async (visitor: Visitor) => {
    for (const step of steps) await step(visitor)
  }
const seeing = (selector: string) => (visitor: Visitor) => visitor.sees(visitor.page.locator(selector).first())
const rightClick = (selector: string) => async (visitor: Visitor) => {
  await visitor.opensMenus()
  await visitor.page.locator(selector).first().click({ button: 'right' })
}
const menuOf = (selector: string) => inTurn(rightClick(selector), seeing('[role=menu]'))
const ofMessage = (...steps: ((visitor: Visitor) => Promise<unknown>)[]) =>
  inTurn((visitor) => visitor.message('I timed it').hover(), press(actionWords.message.more), ...steps)
const type =
  (text: string) =>
  async ({ page }: Visitor) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }

/** Opens the search, which loads its code. */
const search = inTurn(press(words.search.open), async ({ page }) =>
  until(() => page.evaluate(() => document.activeElement?.closest('.search') != null)),
)

/**
 * Inspects screens that are opened one after another on a page. @param sign an element that proves that the page is
 * loaded
 */
async function lookAt(inspection: Inspection, visitor: Visitor, path: string, sign: string, screens: Screens) {
  for (const [name, open] of Object.entries(screens)) {
    await visitor.page.goto(visitor.parley.url + path)
    await visitor.sees(visitor.page.locator(sign).first())
    await open(visitor)
    await visitor.until(async () => (await visitor.page.locator('.loading').count()) === 0)
    await inspection.look(visitor, name)
  }
}

/** Opens a person's page in the pseudo-locale, works there, and expects no fault. */
async function inspect(
  chromium: Browser,
  who: Person,
  names: string[],
  work: (inspection: Inspection, visitor: Visitor) => Promise<unknown>,
): Promise<void> {
  const inspection = new Inspection(names)
  const visitor = await Visitor.as(chromium, who, '/app', inspection.options)
  await inspection.begin(visitor)
  await visitor.sees(visitor.button(pseudo(words.settings.title)))
  await work(inspection, visitor)
  await visitor.leave()
  expect(inspection.faults).toEqual([])
}

const pathOf = ({ server_id, channel_id }: Scene) => `/app/servers/${server_id}/channels/${channel_id}`

/** Screens next to and above a channel. */
const BESIDE: Screens = {
  lists: async (visitor) => {
    await visitor.page.setViewportSize({ width: 390, height: 800 })
    // Its name says whether something is unread.
    await visitor.page.locator('.menu-button').click()
  },
  thread: inTurn(ofMessage(choose(actionWords.threads.begin)), seeing('dialog')),
  'search-found': inTurn(search, type('kingfisher'), seeing('.result')),
  'search-nothing': inTurn(search, type('xyzzy'), seeing('.search .empty-state')),
  'search-filters': inTurn(search, async ({ page }) => page.keyboard.type('fr')),
  // The picker loads their names, which appear as they arrive, and draws the emoji over several frames.
  emoji: inTurn(press(words.emoji.insert), seeing('[title="旗: ウェールズ"]')),
  invite: inTurn(press(words.invite.people), seeing('dialog')),
  'new-channel': inTurn(press(words.channels.make.text), seeing('dialog')),
  'new-category': inTurn(press(words.channels.make.category), seeing('dialog')),
  notifications: inTurn(press(words.notifications.title), seeing('dialog')),
  dates: inTurn(press(words.date.jump), seeing('dialog')),
  profile: inTurn((visitor) => visitor.page.locator('.byline .name').first().click(), seeing('dialog.profile')),
  viewer: inTurn((visitor) => visitor.page.locator('.message .image').first().click(), seeing('dialog')),
  switcher: inTurn((visitor) => visitor.page.keyboard.press('Control+k'), seeing('dialog')),
}
/** Menus, and parts of messages. */
const MENUS: Screens = {
  'message-menu': ofMessage(),
  forward: inTurn(ofMessage(choose(actionWords.message.forward)), seeing('dialog')),
  delete: inTurn(ofMessage(choose(actionWords.message.delete)), seeing('dialog')),
  selection: ofMessage(choose(actionWords.message.select)),
  reply: ofMessage(choose(actionWords.message.reply)),
  edit: ofMessage(choose(actionWords.message.edit)),
  'who-reacted': inTurn(rightClick('.reactions button'), seeing('dialog li')),
  'server-menu': menuOf('.server-list a[data-menu]'),
  'channel-menu': menuOf('.sidebar a[data-menu]'),
  'person-menu': menuOf('.members .person:not(:has(small))'),
}

browserTest(
  browser,
  'everything that opens next to a channel is translated, and nothing is cut off',
  async (chromium) => {
    const scene = await setScene(parley)
    // The sweep indexes the message, so that the search finds it.
    await parley.sweep()
    const names = await namesAround(scene.alice, scene.server_id)
    await inspect(chromium, scene.alice, names, (inspection, visitor) =>
      lookAt(inspection, visitor, pathOf(scene), '.message', BESIDE),
    )
  },
)

browserTest(browser, 'menus and actions on messages are translated, and nothing is cut off', async (chromium) => {
  const scene = await setScene(parley)
  const { id } = await say(scene.bob, scene.channel_id, 'Counted as well')
  await scene.bob.put(`/api/messages/${id}/reactions/👍/@me`)
  const names = await namesAround(scene.alice, scene.server_id)
  await inspect(chromium, scene.alice, names, (inspection, visitor) =>
    lookAt(inspection, visitor, pathOf(scene), '.message', MENUS),
  )
})

browserTest(
  browser,
  'friends, conversations, groups and threads are translated, and nothing is cut off',
  async (chromium) => {
    const scene = await setScene(parley)
    const { alice, bob, carol, server_id, channel_id } = scene
    const [dina, ede] = [await person(parley, 'dina'), await person(parley, 'ede')]
    const groupId = await group(alice, dina, ede)
    const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Herons' })).body
    await say(carol, thread.id, 'Two of them')
    const newcomer = await person(parley, 'nell')
    const names = [...(await namesAround(alice, server_id)), 'Herons', dina.display_name, ede.display_name]
    await inspect(chromium, alice, names, async (inspection, visitor) => {
      await lookAt(inspection, visitor, '/app', '.people .person', {
        requests: (each) => each.page.locator('.tabs button').nth(1).click(),
        blocked: press(friendWords.tabs.blocked),
        'find-people': inTurn(
          press(friendWords.tabs.find),
          seeing('.page input'),
          type('nobody'),
          seeing('.empty-state'),
        ),
        'friend-menu': inTurn(
          (each) => each.page.locator('.people [aria-haspopup]').first().click(),
          seeing('[role=menu]'),
        ),
        'new-conversation': inTurn(press(words.groups.new), seeing('dialog')),
      })
      await lookAt(inspection, visitor, `/app/dm/${bob.id}`, '.message', { dm: async () => {} })
      await lookAt(inspection, visitor, `/c/${groupId}`, '.beginning', {
        group: async () => {},
        'group-add': inTurn(press(words.groups.add), seeing('dialog')),
        'group-settings': inTurn(press(words.groups.settings), seeing('dialog')),
      })
      await lookAt(inspection, visitor, `/app/servers/${server_id}/channels/${thread.id}`, '.side-panel .message', {
        'thread-open': async () => {},
        'thread-menu': press(actionWords.threads.actions),
      })
    })
    await inspect(chromium, newcomer, [newcomer.display_name, newcomer.username], (inspection, visitor) =>
      lookAt(inspection, visitor, '/app', '.home', { 'empty-home': async () => {} }),
    )
  },
)

browserTest(
  browser,
  'settings of channels, applications and invites are translated, and nothing is cut off',
  async (chromium) => {
    const scene = await setScene(parley)
    const { alice, server_id } = scene
    const application = (await alice.post('/api/applications', { name: 'Dice' })).body
    const { code } = (await alice.post('/api/invites', { server_id })).body
    const names = [...(await namesAround(alice, server_id)), 'Dice']
    await inspect(chromium, alice, names, async (inspection, visitor) => {
      await lookAt(inspection, visitor, pathOf(scene), '.message', {
        'channel-settings': inTurn(press(words.channels.settings('#general'), '#general'), seeing('.page-of-settings')),
      })
      const tabs = visitor.page.locator('dialog nav').getByRole('button')
      for (let at = 0; at < (await tabs.count()); at++) {
        await tabs.nth(at).click()
        await visitor.misses(visitor.page.locator('.page-of-settings .loading'))
        await inspection.look(visitor, `channel-settings-${at}`)
      }
      await lookAt(inspection, visitor, `/apps/${application.id}`, 'h1, h2', { [applicationWords.tab]: async () => {} })
      await lookAt(inspection, visitor, `/invite/${code}`, 'h1, h2', { invite: async () => {} })
    })
  },
)

browserTest(browser, 'a call is translated, and nothing of it is cut off', async (chromium) => {
  const scene = await setScene(parley)
  const { alice, bob, server_id } = scene
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Weir', type: 'voice' })).body
  const path = `/app/servers/${server_id}/channels/${voice.id}`
  const names = [...(await namesAround(alice, server_id)), 'Weir']
  const other = await Visitor.as(chromium, bob, path)
  await inspect(chromium, alice, names, async (inspection, visitor) => {
    await lookAt(inspection, visitor, path, '.voice', { 'call-empty': async () => {} })
    await other.button('Join voice').click()
    await other.sees(other.button('Share screen'))
    await press(callWords.join)(visitor)
    await visitor.sees(visitor.page.locator('.participant').nth(1))
    await inspection.look(visitor, 'call')
    for (const [name, selector] of [
      ['call-person', '.participant .person-more'],
      ['call-way', '.voice .way'],
      ['call-share', `.voice .controls [aria-label="${pseudo(callWords.share)}"]`],
    ] as const) {
      await visitor.page.locator(selector).first().click()
      await inspection.look(visitor, name)
      await visitor.page.keyboard.press('Escape')
    }
    await other.button('Share screen').click()
    await other.page.getByRole('menuitem', { name: 'Sharp text' }).click()
    await press(callWords.watchScreen)(visitor)
    await visitor.sees(visitor.page.locator('.screen video'))
    await inspection.look(visitor, 'call-screen')
    await visitor.link('general').first().click()
    await visitor.sees(visitor.page.locator('.sidebar .current-call'))
    await inspection.look(visitor, 'call-elsewhere')
  })
  await other.leave()
})

browserTest(browser, 'the operator’s page is translated, and nothing of it is cut off', async (chromium) => {
  // Operators see the accounts of all tests of a server.
  const own = await boot()
  const scene = await setScene(own)
  await promote(scene.alice)
  await own.sweep()
  const accounts: { username: string; email: string }[] = (await scene.alice.get('/api/operator/accounts')).body
  const names = [
    ...(await namesAround(scene.alice, scene.server_id)),
    ...accounts.flatMap(({ username, email }) => [username, email]),
  ]
  await inspect(chromium, scene.alice, names, async (inspection, visitor) => {
    for (const section of Object.keys(operatorWords.sections)) {
      const nothing = { [`operator-${section}`]: async () => {} }
      await lookAt(
        inspection,
        visitor,
        `/operator/${section}`,
        'main :is(.table li, .facts div, .chart, .empty-state, button)',
        nothing,
      )
    }
  })
  await stop(own)
})
