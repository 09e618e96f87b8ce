import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { parse } from '../../src/core/markup/markdown.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { upload } from '../support/uploads.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const SCRIPTS = [
  '<img src=x onerror="window.owned = 1">',
  '<script>window.owned = 1</script>',
  '[click](javascript:window.owned=1)',
  '[click](JaVaScRiPt:window.owned=1)',
  '[click](data:text/html,<script>window.owned=1</script>)',
  '[click](vbscript:x)',
  'javascript:window.owned=1',
  '`<svg onload=window.owned=1>`',
  '**<iframe srcdoc="<script>parent.owned=1</script>">**',
  '> <a href="javascript:window.owned=1">x</a>',
  '```\n</code><img src=x onerror=window.owned=1>\n```',
  '<https://example.org/" onmouseover="window.owned=1">',
]
/** Time on the CPU, microseconds: other processes do not add to it. */
const CPU_US_MAX = 200_000
const RLO = '\u202e'

browserTest(
  browser,
  'no text of a member runs as script, or becomes an element or an unsafe link',
  async (chromium) => {
    const [mallory, alice] = [await person(parley, 'mallory'), await person(parley, 'alice')]
    const { server_id, channel_id } = await newServer(mallory, alice)
    for (const script of SCRIPTS) await say(mallory, channel_id, script)
    await mallory.put('/api/auth/display-name', { display_name: '<img src=x onerror=owned=1>' })
    await mallory.put(`/api/servers/${server_id}`, { name: '<script>owned=1</script>' })
    await mallory.put(`/api/channels/${channel_id}`, { topic: '<img src=x onerror=owned=1>' })
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.message('onmouseover'))
    const links = visitor.page.locator('.rich a')
    expect(await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))).toEqual([
      'https:',
    ])
    expect(await links.first().getAttribute('rel')).toContain('noopener')
    expect(
      await visitor.page.locator('.message :is(script, iframe, svg[onload], [onerror], [onmouseover])').count(),
    ).toBe(0)
    expect(await visitor.page.evaluate(() => (window as { owned?: number }).owned)).toBeUndefined()
    for (const script of SCRIPTS.slice(0, 2)) await visitor.sees(visitor.page.getByText(script, { exact: true }))
    await visitor.leave()
  },
)

browserTest(
  browser,
  'bidirectional control characters affect only their own message, and no names',
  async (chromium) => {
    const [mallory, alice] = [await person(parley, 'mallory'), await person(parley, 'alice')]
    const { server_id, channel_id } = await newServer(mallory, alice)
    await mallory.put('/api/auth/display-name', { display_name: `${RLO}nimdA` })
    const file = await upload(mallory, `${RLO}gnp.exe`, 'application/octet-stream', new TextEncoder().encode('MZ'))
    const sent = { content: `${RLO}sdrawkcab`, file_ids: [file.id] }
    await mallory.post(`/api/channels/${channel_id}/messages`, sent)
    await say(alice, channel_id, 'forwards')
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.page.getByText('gnp.exe', { exact: true }))
    expect(await visitor.page.locator('.byline .name').first().textContent()).toBe('nimdA')
    const visibleText = await visitor
      .message('sdrawkcab')
      .locator('.rich')
      .evaluate((text) => getComputedStyle(text).unicodeBidi)
    expect(visibleText).toBe('isolate')
    await visitor.leave()
  },
)

browserTest(browser, 'a word of 4,000 letters does not widen the page', async (chromium) => {
  const [mallory, alice] = [await person(parley, 'mallory'), await person(parley, 'alice')]
  const { server_id, channel_id } = await newServer(mallory, alice)
  await say(mallory, channel_id, 'W'.repeat(4000))
  await say(mallory, channel_id, `\`\`\`\n${'W'.repeat(3900)}\n\`\`\``)
  await mallory.put(`/api/servers/${server_id}`, { name: 'W'.repeat(100) })
  await mallory.put(`/api/channels/${channel_id}`, { name: 'W'.repeat(100), topic: 'W'.repeat(1000) })
  for (const width of [360, 1280]) {
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path, { viewport: { width, height: 740 } })
    await visitor.sees(visitor.message('WWWW').last())
    expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const widest = await visitor.page
      .locator('.message, .bar')
      .evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().right)))
    expect(widest).toBeLessThanOrEqual(width)
    await visitor.leave()
  }
})

/** A letter with the maximum of marks above and below. */
const ZALGO = `q${'\u0331'.repeat(15)}${'\u030d'.repeat(15)}`
/**
 * In the page: looks for an element that clips each visible text with many marks.
 * @returns the number of texts, and the elements of those that nothing clips within two lines
 */
function paintedOutside(): { looked: number; outside: string[] } {
  const outside: string[] = []
  let looked = 0
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const own = text.parentElement
    if (!own?.checkVisibility() || !text.textContent?.includes('\u0331\u030d')) continue
    looked++
    let cut: Element | null = own
    while (cut && getComputedStyle(cut).overflowY === 'visible') cut = cut.parentElement
    const line = parseFloat(getComputedStyle(own).fontSize) * 2
    if (!cut || cut.getBoundingClientRect().height > 2 * line) outside.push(own.outerHTML.slice(0, 200))
  }
  return { looked, outside }
}
/** The distinct heights of these rows. */
const heights = (rows: Locator) =>
  rows.evaluateAll((all) => [...new Set(all.map((row) => Math.round(row.getBoundingClientRect().height * 10) / 10))])

browserTest(browser, 'letters with many marks stay in their line, and rows are of even height', async (chromium) => {
  const [mallory, alice, bob] = [
    await person(parley, 'mallory'),
    await person(parley, 'alice'),
    await person(parley, 'bob'),
  ]
  const { server_id, channel_id } = await newServer(alice, mallory, bob)
  expect((await mallory.put('/api/auth/display-name', { display_name: ZALGO })).status).toBe(200)
  expect((await alice.put(`/api/servers/${server_id}`, { name: ZALGO })).status).toBe(200)
  const draft = { name: ZALGO, topic: ZALGO }
  expect((await alice.post(`/api/servers/${server_id}/channels`, { ...draft, type: 'text' })).status).toBe(201)
  expect((await alice.put(`/api/channels/${channel_id}`, { topic: ZALGO })).status).toBe(200)
  for (const [author, text] of [
    [mallory, ZALGO],
    [bob, 'plain'],
    [mallory, ZALGO],
  ] as const) {
    await say(author, channel_id, text)
    expect((await author.post('/api/dm/messages', { recipient_id: alice.id, content: text })).status).toBe(201)
  }
  for (const [path, lists] of [
    [`/app/servers/${server_id}/channels/${channel_id}`, ['.members .person', '.sidebar nav .row']],
    [`/app/dm/${mallory.id}`, ['.sidebar nav .row:has(.avatar)']],
  ] as const) {
    const visitor = await Visitor.as(chromium, alice, path)
    const { page } = visitor
    await visitor.sees(visitor.message(ZALGO).last())
    for (const list of lists) {
      await page.locator(list).nth(1).waitFor()
      expect([list, await heights(page.locator(list))]).toEqual([list, [expect.any(Number)]])
    }
    // The first message is below the line of the day.
    const below = page.locator('.message:not(:has(.rule), .continued)')
    if (path.includes('servers')) expect([await below.count(), await heights(below)]).toEqual([2, [expect.any(Number)]])
    const painted = await page.evaluate(paintedOutside)
    expect([path, painted.outside]).toEqual([path, []])
    expect(painted.looked).toBeGreaterThan(5)
    await visitor.leave()
  }
})

test('every message is parsed within 200 ms of CPU time', () => {
  const pieces = [
    '**',
    '*a ',
    '_a',
    '~~',
    '`',
    '```\n',
    '> ',
    '- ',
    '[a](',
    '[',
    'https://a.b/(',
    '<@1',
    '**a `x` ',
    '((((',
    '\n',
  ]
  for (const piece of [...pieces, ...pieces.map((one, at) => one + pieces[(at + 5) % pieces.length])]) {
    const text = piece.repeat(4000 / piece.length)
    const before = process.cpuUsage()
    parse(text)
    const { user, system } = process.cpuUsage(before)
    expect([piece, user + system < CPU_US_MAX]).toEqual([piece, true])
  }
})

test('Markdown is parsed, and other text stays as it is', () => {
  const one = (text: string) => parse(text)
  expect(one('a *b* **c** ~~d~~ `e`')).toMatchObject([
    {
      kind: 'paragraph',
      inside: [
        { text: 'a ' },
        { kind: 'italic' },
        {},
        { kind: 'bold' },
        {},
        { kind: 'strike' },
        {},
        { kind: 'code', text: 'e' },
      ],
    },
  ])
  expect(one('see https://a.org/x_(y), ok')).toMatchObject([
    { inside: [{}, { kind: 'link', href: 'https://a.org/x_(y)' }, { text: ', ok' }] },
  ])
  expect(one('snake_case_name 2 * 3 * 4')).toEqual([
    { kind: 'paragraph', inside: [{ kind: 'text', text: 'snake_case_name 2 * 3 * 4' }] },
  ])
  expect(one('```ts\nlet a = "*b*"\n```')).toEqual([{ kind: 'code', text: 'let a = "*b*"', language: 'ts' }])
  expect(one('> a\n> b\nc')).toMatchObject([{ kind: 'quote' }, { kind: 'paragraph' }])
  expect(one('<@42>, hi')).toMatchObject([{ inside: [{ kind: 'mention', user_id: 42 }, {}] }])
  for (const href of ['javascript:x', 'data:x', '//x.org', '/etc'])
    expect(JSON.stringify(one(`[a](${href})`))).not.toContain('"link"')
})
