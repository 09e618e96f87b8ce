import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import { PHONE } from '../support/browser/finger.ts'
import { type Scene, setScene } from '../support/browser/scene.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { cutParts, smallTargets } from '../support/browser/targets.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { type Person, person, say, standard } from '../support/harness.ts'
import { group } from '../support/people.ts'
import { upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

/** Nothing moves before it is measured. */
const STILL_PHONE = { ...PHONE, reducedMotion: 'reduce' } as const
/** Small and large phones, one that is held sideways, and the size of the page, which comes last, px. */
const SIZES = [{ width: 360, height: 800 }, { width: 430, height: 932 }, { width: 844, height: 390 }, PHONE.viewport]
/** A language that reads to the right, and one that reads to the left. */
const LANGUAGES = { 'en-GB': 'English', ar: 'Arabic' }

/** Measures the targets that are visible. @param name of the screen */
type Look = (name: string) => Promise<void>
type Step = (visitor: Visitor, look: Look) => Promise<unknown>
/** Screens by name, with the steps that open each on its page. */
type Screens = Record<string, Step>

/** Taps an element; a negative number counts from the last one. */
const tap =
  (selector: string, nth = 0): Step =>
  ({ page }) =>
    page.locator(selector).nth(nth).tap()
const seeing =
  (selector: string): Step =>
  (visitor) =>
    visitor.sees(visitor.page.locator(selector).first())
const inTurn =
  (...steps: Step[]): Step =>
  async (visitor, look) => {
    for (const step of steps) await step(visitor, look)
  }
/** Opens the menu of an element as a long press does. */
const hold = (selector: string): Step =>
  inTurn(
    (visitor) => visitor.opensMenus(),
    ({ page }) => page.locator(selector).last().dispatchEvent('contextmenu'),
    seeing('.menu'),
  )
const item = (nth: number): Step => tap('.menu > [role=menuitem]', nth)
/** Looks at each section of the settings that are open. */
const eachSection: Step = async ({ page }, look) => {
  const buttons = page.locator('dialog nav button')
  await buttons.first().waitFor()
  for (let nth = 0; nth < (await buttons.count()); nth++) {
    await buttons.nth(nth).tap()
    await look(`${nth}`)
  }
}
/** The page as it opens. */
const asIs: Step = async () => {}

/** Measures the targets of the page at each size. */
async function lookAt(visitor: Visitor, name: string, faults: string[]): Promise<void> {
  await visitor.until(async () => (await visitor.page.locator('.loading').count()) === 0)
  for (const size of SIZES) {
    const { width } = size
    await visitor.page.setViewportSize(size)
    // Parts that follow the size of the page by script are drawn in the second frame after it.
    await visitor.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    for (const fault of [...(await smallTargets(visitor)), ...(await cutParts(visitor))])
      faults.push(`${name} ${width}: ${fault}`)
    await shootThemes(visitor, `target-${name}-${width}`)
  }
}

/** Opens screens one after another, and expects that every target on them is large enough. */
async function walk(
  { chromium, locale }: Walker,
  who: Person,
  path: string,
  sign: string,
  screens: Screens,
): Promise<void> {
  const faults: string[] = []
  const visitor = await Visitor.as(chromium, who, path, { ...STILL_PHONE, locale })
  for (const [name, open] of Object.entries(screens)) {
    await visitor.page.goto(parley.url + path)
    await visitor.sees(visitor.page.locator(sign).first())
    await open(visitor, (part) => lookAt(visitor, `${name}-${part}-${locale}`, faults))
    await lookAt(visitor, `${name}-${locale}`, faults)
  }
  await visitor.leave()
  expect(faults).toEqual([])
}

interface Walker {
  chromium: Browser
  locale: string
}

/** A test that screens fit a phone, in each language. */
function fits(what: string, run: (walker: Walker) => Promise<void>): void {
  for (const [locale, language] of Object.entries(LANGUAGES))
    browserTest(
      browser,
      `${what} fit a phone in ${language}: a finger hits every target, and nothing is cut`,
      (chromium) => run({ chromium, locale }),
    )
}

const pathOf = ({ server_id, channel_id }: Scene) => `/app/servers/${server_id}/channels/${channel_id}`

/** A second of silence, as a wave file. */
function silence(): Uint8Array {
  const RATE = 8000
  const header = new DataView(new ArrayBuffer(44))
  const text = (at: number, name: string) =>
    [...name].forEach((letter, n) => header.setUint8(at + n, letter.charCodeAt(0)))
  text(0, 'RIFF')
  header.setUint32(4, 36 + RATE, true)
  text(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.setUint16(at, value, true)
  for (const at of [24, 28]) header.setUint32(at, RATE, true)
  text(36, 'data')
  header.setUint32(40, RATE, true)
  return new Uint8Array([...new Uint8Array(header.buffer), ...new Uint8Array(RATE).fill(128)])
}

/** Messages with every kind of target. */
async function sayMore({ alice, bob, carol, channel_id }: Scene): Promise<void> {
  const { id } = await say(bob, channel_id, 'Counted as well, ||twice||')
  for (const emoji of ['👍', '❤️', '😂', '🎉', '🙏']) await bob.put(`/api/messages/${id}/reactions/${emoji}/@me`)
  await alice.put(`/api/messages/${id}/reactions/👍/@me`)
  await carol.post(`/api/channels/${channel_id}/messages`, { content: 'Which one?', reply_to_id: id })
  await say(bob, channel_id, 'The code:\n```ts\nconst birds = 2\n```')
  const sound = await upload(bob, 'call.wav', 'audio/wav', silence())
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Listen', file_ids: [sound.id] })
  const thread = await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Herons', message_id: id })
  await say(carol, thread.body.id, 'Two of them')
}

fits('a channel and what opens above it', async (walker) => {
  const scene = await setScene(parley)
  await sayMore(scene)
  await walk(walker, scene.alice, pathOf(scene), '.reactions button', {
    channel: asIs,
    replying: inTurn(hold('.message:has(.reactions)'), item(0), seeing('.replying')),
    sheet: hold('.message[data-menu]'),
    editing: inTurn(hold('.message:has-text("I timed it")'), item(3), seeing('.editor')),
    tools: inTurn(tap('.bar button[popovertarget]'), seeing('.tools:popover-open')),
    members: inTurn(tap('main .bar > button', -1), seeing('.members')),
    threads: inTurn(tap('main .bar > button', -2), seeing('.side-panel')),
    search: inTurn(tap('main .bar > button', 1), seeing('.search input')),
    emoji: inTurn(tap('.writing > button', 1), seeing('.picker .choice')),
    profile: inTurn(tap('.byline .name'), seeing('dialog.profile')),
    viewer: inTurn(tap('.message .image'), seeing('dialog.viewer')),
    thread: inTurn(tap('.thread-line'), seeing('.side-panel .message')),
  })
})

fits('the tabs', async (walker) => {
  const scene = await setScene(parley)
  await sayMore(scene)
  await say(scene.bob, scene.channel_id, `See you, <@${scene.alice.id}>`)
  const tab = (nth: number) => inTurn(tap('.menu-button'), tap('.phone-tabs button', nth))
  await walk(walker, scene.alice, pathOf(scene), '.message', {
    home: inTurn(tab(0), seeing('.sidebar a')),
    channels: inTurn(tab(1), seeing('.sidebar a')),
    'server-menu': inTurn(tab(1), tap('.server-name'), seeing('.menu')),
    switcher: inTurn(tab(1), tap('.find'), seeing('dialog.switcher')),
    'new-channel': inTurn(tab(1), tap('.sidebar section > header > .bare'), seeing('dialog')),
    'new-server': inTurn(tab(1), tap('.server-list .add'), seeing('dialog')),
    inbox: inTurn(tab(2), seeing('.phone-page .message')),
    you: inTurn(tab(3), seeing('.you')),
  })
})

fits('the settings of an account', async (walker) => {
  const scene = await setScene(parley)
  await scene.alice.post('/api/applications', { name: 'Dice' })
  await walk(walker, scene.alice, pathOf(scene), '.message', {
    account: inTurn(tap('.menu-button'), tap('.phone-tabs button', 3), tap('.you li button', 1), eachSection),
  })
})

fits('the settings of a server and its channels', async (walker) => {
  const scene = await setScene(parley)
  const { alice, channel_id } = scene
  await alice.post(`/api/channels/${channel_id}/webhooks`, { name: 'Weather' })
  const inMenu = (nth: number) => inTurn(tap('.menu-button'), tap('.server-name'), item(nth), seeing('dialog'))
  await walk(walker, alice, pathOf(scene), '.message', {
    server: inTurn(inMenu(-1), eachSection),
    'channel-settings': inTurn(tap('.menu-button'), tap('.row.here .aside'), eachSection),
    choices: inMenu(-2),
    invite: inMenu(-3),
  })
})

fits('friends, conversations and groups', async (walker) => {
  const { alice, bob } = await setScene(parley)
  const [dina, ede] = [await person(parley, 'dina'), await person(parley, 'ede')]
  const groupId = await group(alice, dina, ede)
  await walk(walker, alice, '/app', '.people .person', {
    friends: asIs,
    requests: tap('.tabs button', 1),
    blocked: tap('.tabs button', 2),
    find: inTurn(tap('.tabs button', 3), seeing('.page input')),
    'friend-menu': inTurn(tap('.people [aria-haspopup]'), seeing('.menu')),
    'new-group': inTurn(tap('.phone-tabs button', 0), tap('.sidebar .bar button'), seeing('dialog')),
  })
  await walk(walker, alice, `/app/dm/${bob.id}`, '.message', { dm: asIs })
  await walk(walker, alice, `/c/${groupId}`, '.beginning', {
    group: asIs,
    'group-settings': inTurn(tap('.bar button[popovertarget]'), tap('.tools button', -1), seeing('dialog')),
  })
  await walk(walker, await person(parley, 'nell'), '/app', '.home', { newcomer: asIs })
})

fits('the pages before a login', async ({ chromium, locale }) => {
  const faults: string[] = []
  for (const path of ['login', 'register', 'forgot']) {
    const visitor = await Visitor.stranger(chromium, parley, `/${path}`, { ...STILL_PHONE, locale })
    await visitor.sees(visitor.page.locator('.card'))
    await lookAt(visitor, `${path}-${locale}`, faults)
    await visitor.leave()
  }
  expect(faults).toEqual([])
})
