import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const MESSAGES = 60
/** More rows than fill the screen, and fewer than a page of messages has. */
const FIRST_ROWS_MAX = 30
const PAGE = 50
/** More than a list contains once the reader rests at its end. */
const MANY = 190
/** Enough that the rows take several frames. */
const MEMBERS = 150

/** The fields of a trace event that the test reads. */
interface TraceEvent {
  name: string
  args: { data?: { nodeName?: string } }
}

declare global {
  var runIdle: () => void
  var comparisons: number
  var headings: Set<string>
}

/** Runs in the page: idle callbacks wait until the test runs them. */
function holdIdle(): void {
  let count = 0
  const callbacks = new Map<number, IdleRequestCallback>()
  globalThis.requestIdleCallback = (work) => (callbacks.set(++count, work), count)
  globalThis.cancelIdleCallback = (id) => void callbacks.delete(id)
  globalThis.runIdle = () => {
    const works = [...callbacks.values()]
    callbacks.clear()
    for (const work of works) work({ didTimeout: false, timeRemaining: () => 10 })
  }
}

/** Runs in the page: counts comparisons of names while sorting, as in the list of members. */
function countComparisons(): void {
  globalThis.comparisons = 0
  const { get } = Object.getOwnPropertyDescriptor(Intl.Collator.prototype, 'compare') ?? {}
  Object.defineProperty(Intl.Collator.prototype, 'compare', {
    get(): (one: string, other: string) => number {
      const compare = get?.call(this)
      return (one, other) => (globalThis.comparisons++, compare(one, other))
    },
  })
}

/** Runs in the page: the number of rows, and the scroll position of the list. */
function listNow() {
  const box = document.querySelector('.messages > .scroll')
  if (!box) throw new Error('There is no list.')
  const { top } = box.getBoundingClientRect()
  const line = document.querySelector('.message:has(.rule.new)')?.getBoundingClientRect().top
  return {
    rows: box.querySelectorAll('.message').length,
    above: box.scrollTop,
    below: box.scrollHeight - box.scrollTop - box.clientHeight,
    line: line === undefined ? undefined : (line - top) / box.clientHeight,
  }
}

browserTest(
  browser,
  'a channel opens with the rows that fill the screen, and does not move while the others are drawn',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const sent = await parley.parts.sql<{ id: number }[]>`
      insert into messages (channel_id, author_id, content, created_at)
      select ${channel_id}, case n % 2 when 0 then ${alice.id} else ${bob.id} end::bigint, 'number ' || n,
        now() - (${MESSAGES}::int - n) * interval '1 second'
      from generate_series(1, ${MESSAGES}::int) n order by n returning id`
    const read = async (who: typeof alice, message_id: number | undefined) => {
      const socket = await connect(who)
      await socket.command('channel.ack', { channel_id, message_id })
      socket.close()
    }
    await read(alice, sent.at(-1)?.id)
    await read(bob, sent[sent.length / 2]?.id)
    const opened = async (who: typeof alice, first: string) => {
      const visitor = await Visitor.as(chromium, who)
      await visitor.page.addInitScript(holdIdle)
      await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
      await visitor.sees(visitor.message(first).last())
      const now = await visitor.page.evaluate(listNow)
      expect([now.rows > 0, now.rows <= FIRST_ROWS_MAX, now.above > 0]).toEqual([true, true, true])
      await visitor.until(() =>
        visitor.page.evaluate((page) => {
          runIdle()
          return document.querySelectorAll('.message').length >= page
        }, PAGE),
      )
      return { visitor, before: now, after: await visitor.page.evaluate(listNow) }
    }
    const end = await opened(alice, `number ${MESSAGES}`)
    expect(end.before.below).toBeLessThan(2)
    expect(end.after.below).toBeLessThan(2)
    await end.visitor.leave()
    const unread = await opened(bob, `number ${MESSAGES / 2 + 2}`)
    expect(unread.before.line).toBeCloseTo(0.25, 1)
    expect(unread.before.below).toBeGreaterThan(0)
    expect(unread.after.line).toBeCloseTo(unread.before.line ?? 0, 2)
    await unread.visitor.leave()
  },
)

browserTest(browser, 'few rows of older messages stay once the reader rests at the end', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await parley.parts.sql`
      insert into messages (channel_id, author_id, content, created_at)
      select ${channel_id}, ${alice.id}, 'number ' || n, now() - (${MANY}::int - n) * interval '1 second'
      from generate_series(1, ${MANY}::int) n order by n`
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const { page } = visitor
  const to = (end: 'top' | 'end') =>
    page.locator('.messages > .scroll').evaluate((box, side) => void (box.scrollTop = side === 'top' ? 0 : 1e6), end)
  const drawn = (are: (rows: number) => boolean, end: 'top' | 'end') =>
    visitor.until(async () => (await to(end), are((await page.evaluate(listNow)).rows)))
  await visitor.sees(visitor.message(`number ${MANY}`))
  await drawn((rows) => rows >= PAGE, 'end')
  await drawn((rows) => rows > 3 * PAGE, 'top')
  await drawn((rows) => rows <= 2 * PAGE, 'end')
  expect((await page.evaluate(listNow)).below).toBeLessThan(2)
  await visitor.sees(visitor.message(`number ${MANY}`))
  // They come back when the reader scrolls up.
  await drawn((rows) => rows > 3 * PAGE, 'top')
  expect(await visitor.message(`number ${MANY - 3 * PAGE}`).count()).toBe(1)
  await visitor.leave()
})

browserTest(browser, 'the members of a server are not drawn again with each of its channels', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await alice.post(`/api/servers/${server_id}/channels`, { name: 'trips', type: 'text' })
  const visitor = await Visitor.as(chromium, alice)
  await visitor.page.addInitScript(countComparisons)
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.page.locator('.members .person').nth(1))
  const compared = () => visitor.page.evaluate(() => globalThis.comparisons)
  expect(await compared()).toBeGreaterThan(0)
  // Code that loads at the first visit of a channel may list more members.
  await visitor.until(async () => {
    const before = await compared()
    for (const name of ['trips', 'general']) {
      await visitor.page.locator('.sidebar nav a', { hasText: name }).click()
      await visitor.sees(visitor.page.getByRole('heading', { level: 1, name }))
      await visitor.sees(visitor.page.locator(`.messages .scroll[aria-label*="${name}"]`))
    }
    return (await compared()) === before
  })
  await visitor.leave()
})

browserTest(browser, 'many members are sorted once, however many frames their rows take', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await parley.parts.sql`
    with people as (insert into users (username, email, password_hash, display_name)
      select 'reed' || n, 'reed' || n || '@example.org', 'none', 'Reed ' || n
      from generate_series(100, ${99 + MEMBERS}::int) n returning id)
    insert into members (server_id, user_id) select ${server_id}, id from people`
  const visitor = await Visitor.as(chromium, alice)
  await visitor.page.addInitScript(countComparisons)
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
  const rows = visitor.page.locator('.members .person')
  const areAll = () => visitor.until(async () => (await rows.count()) === MEMBERS + 2)
  await areAll()
  await visitor.page.waitForLoadState('networkidle')
  // Her own presence sorts the list again.
  await visitor.sees(visitor.page.locator('.members button.online', { hasText: alice.display_name }))
  await visitor.button('Members').click()
  await visitor.misses(rows.first())
  await visitor.page.evaluate(() => (globalThis.comparisons = 0))
  await visitor.button('Members').click()
  await areAll()
  // They arrive in order: each is compared with the one before it.
  expect(await visitor.page.evaluate(() => globalThis.comparisons)).toBeWithin(MEMBERS, 2 * MEMBERS)
  await visitor.leave()
})

/** Runs in the page: records every later heading of its main part. */
function noteHeadings(): void {
  globalThis.headings = new Set()
  const note = () => globalThis.headings.add(document.querySelector('main h1')?.textContent ?? 'none')
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
}

browserTest(browser, 'a server opens at the channel that was last visited, with no page between', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const [here, there] = [await newServer(alice, bob), await newServer(alice, bob)]
  const { body } = await alice.post(`/api/servers/${there.server_id}/channels`, { name: 'trips', type: 'text' })
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${there.server_id}/channels/${body.id}`)
  const heading = (name: string) => visitor.page.getByRole('heading', { level: 1, name })
  await visitor.sees(heading('trips'))
  await visitor.page.goto(`${parley.url}/app/servers/${here.server_id}/channels/${here.channel_id}`)
  await visitor.sees(heading('general'))
  const before = await visitor.page.evaluate(() => history.length)
  await visitor.page.evaluate(noteHeadings)
  // Not the last of the list, because servers arrive one after another.
  await visitor.page.locator(`[data-menu="server ${there.server_id}"]`).click()
  await visitor.sees(visitor.page.locator('.sidebar nav .here', { hasText: 'trips' }))
  // Other changes during the switch may still render the former channel.
  const headings = await visitor.page.evaluate(() => [...globalThis.headings])
  expect(headings.filter((each) => each !== 'general')).toEqual(['trips'])
  expect(await visitor.page.evaluate(() => history.length)).toBe(before + 1)
  await visitor.leave()
})

browserTest(browser, 'a new message restyles no link of the neighbouring lists', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await say(bob, channel_id, 'A dipper')
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.message('A dipper'))
  await visitor.page.waitForLoadState('networkidle')
  await chromium.startTracing(visitor.page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.invalidationTracking'],
  })
  await say(bob, channel_id, 'A kingfisher')
  await visitor.sees(visitor.message('A kingfisher'))
  await visitor.page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))))
  const { traceEvents } = JSON.parse(String(await chromium.stopTracing())) as { traceEvents: TraceEvent[] }
  expect(traceEvents.some(({ name }) => name === 'UpdateLayoutTree')).toBe(true)
  const restyled = traceEvents.filter(({ name }) => name === 'StyleRecalcInvalidationTracking')
  const links = restyled.map(({ args }) => args.data?.nodeName ?? '').filter((name) => /^A\b/.test(name))
  // The server itself becomes unread.
  expect(links.filter((name) => !/tile here/.test(name))).toEqual([])
  await visitor.leave()
})

/** Runs in the page: the position of the caret, and the selection. */
function caretNow() {
  const selection = getSelection()
  const dialog = document.querySelector('dialog[open]')
  const hasCaret = selection !== null && selection.rangeCount > 0
  return { beside_dialog: hasCaret && !dialog?.contains(selection.anchorNode), text: String(selection) }
}

browserTest(
  browser,
  'a page covered by a dialog has no caret; selected text stays selected, and a field gets its caret back',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    await say(bob, channel_id, 'A green woodpecker')
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const text = visitor.page.getByText('A green woodpecker')
    const dialog = visitor.page.locator('dialog[open]')
    const openAndClose = async (keys: string) => {
      await visitor.page.keyboard.press(keys)
      await visitor.sees(dialog)
      const open = await visitor.page.evaluate(caretNow)
      await visitor.page.keyboard.press('Escape')
      await visitor.misses(dialog)
      return open
    }
    await text.click()
    expect((await openAndClose('Control+/')).beside_dialog).toBe(false)
    // Nor does a field that is gone with its dialog leave a caret, which the next dialog would cover.
    await openAndClose('Control+k')
    expect(await visitor.page.evaluate(() => getSelection()?.rangeCount)).toBe(0)

    await visitor.composer().fill('A nuthatch')
    for (let n = 0; n < 'hatch'.length; n++) await visitor.page.keyboard.press('ArrowLeft')
    await openAndClose('Control+k')
    await visitor.page.keyboard.type('-')
    expect(await visitor.composer().inputValue()).toBe('A nut-hatch')

    await text.click()
    await text.evaluate((element) => getSelection()?.selectAllChildren(element))
    await openAndClose('Control+/')
    expect((await visitor.page.evaluate(caretNow)).text).toBe('A green woodpecker')
    await visitor.leave()
  },
)
