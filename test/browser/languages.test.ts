import { expect } from 'bun:test'
import { actionWords } from '../../src/web/words/actions.ts'
import { accountWords } from '../../src/web/words/account.ts'
import { settingsWords } from '../../src/web/words/settings.ts'
import { menuWords } from '../../src/web/words/menus.ts'
import { words } from '../../src/web/words/words.ts'
import { Inspection } from '../support/browser/inspection.ts'
import { pseudo } from '../support/browser/pseudo-locale.ts'
import { namesAround, setScene } from '../support/browser/scene.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { person, newServer, say, standard } from '../support/harness.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'the page speaks the language of the browser, or the chosen one, and loads no other',
  async (chromium) => {
    const loaded = (visitor: Visitor) =>
      visitor.page.evaluate(() =>
        performance.getEntriesByType('resource').flatMap(({ name }) => /part-([a-z]{2})-/.exec(name)?.[1] ?? []),
      )
    const lang = (visitor: Visitor) => visitor.page.evaluate(() => [document.documentElement.lang, document.dir])
    const swiss = await Visitor.stranger(chromium, parley, '/login', { locale: 'de-CH' })
    await swiss.sees('Willkommen zurück')
    expect([await lang(swiss), await loaded(swiss)]).toEqual([['de', 'ltr'], ['de']])
    await swiss.leave()
    const far = await Visitor.stranger(chromium, parley, '/login', { locale: 'ar-EG' })
    await far.sees(far.page.locator('h1'))
    expect([await lang(far), await loaded(far)]).toEqual([['ar', 'rtl'], ['ar']])
    const program = await far.page.locator('link[rel=manifest]').getAttribute('href')
    expect((await (await far.page.request.get(new URL(program ?? '', far.page.url()).href)).json()).dir).toBe('rtl')
    await far.leave()
    // The client lacks this language.
    const dane = await Visitor.stranger(chromium, parley, '/login', { locale: 'da-DK' })
    await dane.sees('Welcome back')
    expect([await lang(dane), await loaded(dane)]).toEqual([['en', ''], []])
    await dane.leave()

    const owner = await person(parley, 'ann')
    const { channel_id } = await newServer(owner)
    const ann = await Visitor.as(chromium, owner)
    const choose = async (settings: string, appearance: string, name: RegExp) => {
      await ann.button(settings).click()
      await ann.button(appearance).click()
      await ann.page.getByRole('radio', { name }).click()
    }
    await choose('Settings', 'Appearance', /^Deutsch/)
    await ann.sees(ann.button('Einstellungen'))
    // Emoji are found by their names in the language, and by the English ones.
    const home = ann.page.url()
    await ann.page.goto(new URL(`/c/${channel_id}`, home).href)
    await ann.composer().pressSequentially(':schmetter')
    await ann.sees(ann.page.getByRole('option', { name: ':butterfly:' }))
    await ann.composer().fill('')
    await ann.button('Emoji einfügen').click()
    for (const [query, name] of [
      ['schmetter', 'Schmetterling'],
      ['butterfly', 'Schmetterling'],
      ['germany', 'Flagge: Deutschland'],
    ] as const) {
      await ann.page.getByRole('combobox', { name: 'Emojis suchen' }).fill(query)
      await ann.sees(ann.page.getByRole('option', { name }).first())
    }
    await ann.page.keyboard.press('Escape')
    await ann.page.goto(home)
    await choose('Einstellungen', 'Darstellung', /^Wie der Browser/)
    await ann.sees(ann.button('Settings'))
    await ann.leave()
  },
)

browserTest(browser, 'in another language no screen shows English, or cuts words off', async (chromium) => {
  const { alice, server_id, channel_id } = await setScene(parley)
  const eve = await person(parley, 'eve')
  const { server_id: quiet, channel_id: empty } = await newServer(eve)
  const inspection = new Inspection([...(await namesAround(alice, server_id)), ...(await namesAround(eve, quiet))])
  const open = async (visitor: Visitor, path: string, sign: string) => {
    await visitor.page.goto(parley.url + path)
    await visitor.sees(visitor.page.locator(sign).first())
  }
  const stranger = await Visitor.stranger(chromium, parley, '/login', inspection.options)
  await inspection.begin(stranger)
  await stranger.sees(pseudo(accountWords.signIn.welcome))
  await inspection.look(stranger, 'login')
  for (const path of ['/register', '/forgot', '/invite/abcdefghjk']) {
    await open(stranger, path, 'h1, h2')
    await inspection.look(stranger, path.split('/', 2).join(''))
  }
  await stranger.leave()

  const visitor = await Visitor.as(chromium, alice, '/app', inspection.options)
  await inspection.begin(visitor)
  await visitor.sees(visitor.button(pseudo(words.settings.title)))
  await inspection.look(visitor, 'home')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  await open(visitor, path, '.message')
  await inspection.look(visitor, 'channel')
  for (const [show, name] of [
    [() => visitor.inServerMenu(pseudo(menuWords.serverSettings)), 'server-settings'],
    [
      () => visitor.page.getByRole('button', { name: pseudo(words.settings.title), exact: true }).click(),
      'user-settings',
    ],
  ] as const) {
    await show()
    const tabs = visitor.page.getByRole('navigation', { name: pseudo(settingsWords.sections) }).getByRole('button')
    await visitor.sees(tabs.first())
    for (let at = 0; at < (await tabs.count()); at++) {
      await tabs.nth(at).click()
      await visitor.misses(visitor.page.locator('.page-of-settings .loading'))
      await inspection.look(visitor, `${name}-${at}`)
    }
    await visitor.button(pseudo(words.close)).last().click()
  }
  const { search, pins, inbox, servers } = words
  const openers = {
    threads: actionWords.threads.title,
    search: search.open,
    pins: pins.title,
    inbox: inbox.open,
    new: servers.add,
  }
  for (const [name, opener] of Object.entries(openers)) {
    await visitor.button(pseudo(opener)).first().click()
    await visitor.until(async () => (await visitor.page.locator('.loading').count()) === 0)
    await inspection.look(visitor, name)
    await open(visitor, path, '.message')
  }
  await visitor.page.keyboard.press('Control+/')
  await visitor.sees(visitor.page.locator('dialog kbd').first())
  await inspection.look(visitor, 'shortcuts')
  await visitor.leave()
  const newcomer = await Visitor.as(chromium, eve, `/app/servers/${quiet}/channels/${empty}`, inspection.options)
  await inspection.begin(newcomer)
  await newcomer.sees(newcomer.page.locator('.beginning'))
  await inspection.look(newcomer, 'empty-channel')
  await newcomer.leave()
  expect(inspection.faults).toEqual([])
})

browserTest(
  browser,
  'in a language that reads to the left, names are next to their pictures and nothing covers code',
  async (chromium) => {
    const { alice, bob, server_id, channel_id } = await setScene(parley)
    await bob.post(`/api/channels/${channel_id}/messages`, {
      content: `<@${alice.id}>\n\`\`\`ts\nconst seen = 2\n\`\`\``,
    })
    const visitor = await Visitor.as(chromium, alice, '/app', { locale: 'ar-EG' })
    /** Waits for a layout. Loading content moves it, so all positions are read at one time. */
    const lies = (selectors: string[], isRight: (...boxes: { start: number; end: number }[]) => boolean) =>
      visitor.until(async () => {
        const boxes = await visitor.page.evaluate(
          (all) =>
            all.flatMap((selector) => {
              const { left, right } = document.querySelector(selector)?.getBoundingClientRect() ?? {}
              return left === undefined || right === undefined ? [] : [{ start: left, end: right }]
            }),
          selectors,
        )
        return boxes.length === selectors.length && isRight(...boxes)
      })
    await lies(
      ['.people .avatar', '.people .person bdi', '.people .person small'],
      (picture, name, status) =>
        Math.abs(name.end - status.end) < 2 && picture.start > name.end && picture.start - name.end < 30,
    )
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
    await lies(['.code-tools', '.code code'], (tools, code) => tools.start > code.end)
    // A short line in a right-to-left script.
    await lies(
      ['.message .picture', '.message .rich p'],
      (picture, text) => picture.start - text.end < 40 && text.end - text.start < 400,
    )
    await visitor.leave()
  },
)

browserTest(browser, 'every part of the page of friends is fully visible on narrow screens', async (chromium) => {
  const alice = await person(parley, 'alice')
  const [phone, tablet] = [390, 768]
  for (const [locale, width] of [
    ['ru-RU', phone],
    ['uk-UA', phone],
    ['de-DE', phone],
    ['en-GB', tablet],
    ['ru-RU', tablet],
  ] as const) {
    const visitor = await Visitor.as(chromium, alice, '/app', { locale, viewport: { width, height: 844 } })
    const parts = visitor.page.locator('main > .bar :is(h1, .tabs button)')
    await visitor.sees(parts.last())
    const cut = () =>
      parts.evaluateAll((all) =>
        all
          .filter((part) => {
            const { left, right } = part.getBoundingClientRect()
            return left < 0 || right > innerWidth || part.scrollWidth > part.clientWidth
          })
          .map(({ textContent }) => textContent),
      )
    // Until its own font has loaded, the page is drawn in another one.
    await visitor.page.evaluate(async () => void (await document.fonts.ready))
    expect([locale, width, await cut()]).toEqual([locale, width, []])
    await visitor.leave()
  }
})

browserTest(browser, 'a line in the other reading direction is next to its author', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  await say(ann, channel_id, 'صورة رائعة!')
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const line = visitor.message('صورة')
  await visitor.sees(line)
  const [picture, text] = [await line.locator('.picture').boundingBox(), await line.locator('.rich p').boundingBox()]
  expect((text?.x ?? 0) - (picture?.x ?? 0) - (picture?.width ?? 0)).toBeWithin(0, 40)
  expect(text?.width).toBeLessThan(200)
  await visitor.leave()
})
