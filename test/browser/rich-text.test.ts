import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const CODE = 'const weir: string = "kingfisher" // twice\nexport function fly() {\n\treturn `${weir} <b>&amp;</b>`\n}'

browserTest(browser, 'code is shown in colours of both themes, copied unchanged, and loaded late', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  // Other parts of the page load when it is idle.
  const colouring = () =>
    visitor.page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      return loaded.flatMap((path) => /\/part-(highlight|core|typescript)-/.exec(path)?.[1] ?? [])
    })
  await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visitor.sees(visitor.page.locator('.beginning'))
  await say(alice, channel_id, '```\nplain\n```')
  await visitor.sees(visitor.message('plain'))
  expect(await colouring()).toEqual([])

  await say(alice, channel_id, `\`\`\`ts\n${CODE}\n\`\`\``)
  const block = visitor.message('kingfisher').locator('.code')
  await visitor.sees(block.locator('.hljs-keyword').first())
  await visitor.until(async () => (await colouring()).includes('highlight'))
  expect(await block.locator('code').textContent()).toBe(CODE)
  expect(await block.locator('b').count()).toBe(0)
  const colour = () =>
    block
      .locator('.hljs-keyword')
      .first()
      .evaluate((word) => getComputedStyle(word).color)
  await visitor.page.emulateMedia({ colorScheme: 'light' })
  const light = await colour()
  await visitor.page.emulateMedia({ colorScheme: 'dark' })
  expect(await colour()).not.toBe(light)
  await block.getByRole('button', { name: 'Copy code' }).click()
  await visitor.until(async () => (await visitor.page.evaluate(() => navigator.clipboard.readText())) === CODE)
  await visitor.leave()
})

browserTest(
  browser,
  'a spoiler is hidden from sight, screen readers and quotes until a click or a key',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { id } = await say(alice, channel_id, 'it was ||the *heron* https://example.org|| and ||nobody else||')
    await bob.post(`/api/channels/${channel_id}/messages`, { content: 'No!', reply_to_id: id })
    const visitor = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.message('it was').first())
    const covered = visitor.page.getByRole('button', { name: 'Show spoiler' })
    expect(await covered.count()).toBe(2)
    expect(await visitor.link(/example/).count()).toBe(0)
    expect(await visitor.page.locator('.quoted').textContent()).toContain('it was ▒▒▒ and ▒▒▒')
    expect(await visitor.page.getByText('heron', { exact: true }).isVisible()).toBe(false)
    await covered.first().click()
    expect(await visitor.page.getByText('heron', { exact: true }).isVisible()).toBe(true)
    await visitor.sees(visitor.link(/example/))
    await covered.press('Enter')
    await visitor.sees(visitor.page.getByText('nobody else'))
    expect(await covered.count()).toBe(0)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a link to a message jumps within the client, and back returns to the earlier position',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    const first = await say(alice, channel_id, 'the very first')
    await parley.parts.sql`insert into messages (channel_id, author_id, content)
    select ${channel_id}, ${alice.id}, 'number ' || n from generate_series(1, 300) n`
    await say(alice, channel_id, `as said: ${parley.url}/c/${channel_id}/${first.id}`)
    const target = await say(alice, other.id, 'in the other channel')
    await say(alice, channel_id, `and [there](${parley.url}/c/${other.id}/${target.id}), not [here](${parley.url}/api)`)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path)
    const loads: string[] = []
    visitor.page.on('framenavigated', (frame) => loads.push(frame.url()))
    let documents = 0
    visitor.page.on('request', (request) => (documents += Number(request.resourceType() === 'document')))
    const isIn = async (text: string) => {
      const row = await visitor.message(text).first().boundingBox()
      return row !== null && row.y > 40 && row.y < 760
    }
    await visitor.sees(visitor.message('as said'))
    await visitor.link('#general › message').click()
    await visitor.sees(visitor.message('the very first'))
    await visitor.until(() => isIn('the very first'))
    expect(await visitor.message('as said').count()).toBe(0)
    await visitor.page.goBack()
    await visitor.sees(visitor.message('as said'))
    await visitor.until(() => isIn('as said'))
    expect(new URL(visitor.page.url()).pathname).toBe(path)

    await visitor.link('there').click()
    await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    await visitor.until(() => isIn('in the other channel'))
    await visitor.page.goBack()
    await visitor.sees(visitor.page.getByRole('heading', { name: 'general', level: 1 }))
    await visitor.until(() => isIn('as said'))
    await visitor.page.goForward()
    await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    expect(documents).toBe(0)
    expect(await visitor.page.locator('.rich a[target=_blank]').count()).toBe(0)
    await visitor.page.goBack()
    await visitor.sees(visitor.page.getByRole('link', { name: 'here', exact: true }))
    expect(await visitor.page.getByRole('link', { name: 'here', exact: true }).getAttribute('target')).toBe('_blank')

    // Without a network the original text stays.
    await visitor.until(() => isIn('as said'))
    await visitor.page.context().setOffline(true)
    await visitor.link('#general › message').click()
    await visitor.sees('That did not work: The server cannot be reached.')
    expect(await isIn('as said')).toBe(true)
    expect(await visitor.page.locator('.message.flash').count()).toBe(0)
    await visitor.page.context().setOffline(false)
    await visitor.link('#general › message').click()
    await visitor.until(() => isIn('the very first'))
    await visitor.leave()
  },
)
