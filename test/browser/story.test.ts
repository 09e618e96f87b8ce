import { expect } from 'bun:test'
import { PASSWORD, person, room, say, standard } from '../support/harness.ts'
import { png } from '../support/uploads.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const register = async (visitor: Visitor, name: string, display_name: string) => {
  await visitor.field('What should people call you?').fill(display_name)
  await visitor.field('Username').fill(name)
  await visitor.field('E-mail').fill(`${name}@example.org`)
  await visitor.field('Password').fill(PASSWORD)
  await visitor.button('Create account').click()
}

browserTest(browser, 'two people register, join a server by its invite link, and write messages', async (chromium) => {
  const alice = await Visitor.stranger(chromium, parley)
  await alice.link('Create account').click()
  await register(alice, 'story.alice', 'Alice of the Lake')
  await alice.sees('Welcome, Alice of the Lake')
  await alice.sees(alice.page.locator('.me', { hasText: 'Alice of the Lake' }))
  await alice.button('Add a server').click()
  await alice.field('Server name').fill('Birdwatchers')
  await alice.button('Create server').click()
  await alice.sees('Add a picture')
  await alice.button('Close').click()
  await alice.sees(alice.page.getByRole('heading', { name: 'general', level: 1 }))
  await alice.button('Invite people').first().click()
  // There is a link at once.
  await alice.until(async () => (await alice.field('Invite link').inputValue()) !== '')
  const invite = await alice.field('Invite link').inputValue()
  expect(invite).toStartWith(`${parley.url}/invite/`)
  await alice.button('Close').click()

  const bob = await Visitor.stranger(chromium, parley, new URL(invite).pathname)
  await bob.link('Create account').click()
  await register(bob, 'story.bob', 'Bob')
  await bob.sees('Birdwatchers')
  await bob.sees('1 member')
  await bob.button('Join server').click()
  await bob.sees(bob.page.getByRole('heading', { name: 'general', level: 1 }))
  await alice.sees(alice.page.locator('.members li').nth(1))

  await alice.say('Seen **two** kingfishers')
  await bob.sees(bob.message('kingfishers').locator('strong', { hasText: 'two' }))
  await bob.composer().pressSequentially('Wh')
  await alice.sees(/is typing/)
  await bob.say('Where?')
  await alice.sees(alice.message('Where?'))
  await alice.message('Where?').hover()
  await alice.button('Reply').click()
  await alice.say('At the weir')
  await bob.sees(bob.message('At the weir').locator('.quoted', { hasText: 'Where?' }))

  await alice.composer().press('ArrowUp')
  await alice.field('Edit message').fill('At the old weir')
  await alice.field('Edit message').press('Enter')
  await bob.sees(bob.message('At the old weir').getByText('(edited)'))
  await bob.message('Where?').first().hover()
  await bob.act('Delete message')
  await bob.page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
  await alice.misses(alice.page.locator('.message:not(:has(.quoted))', { hasText: 'Where?' }))
  await alice.sees('The original message was deleted')
  for (const visitor of [alice, bob]) await visitor.leave()
})

browserTest(
  browser,
  'pictures and files are sent by choice, paste and drop, and pictures get a thumbnail',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await room(alice, bob)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [sender, reader] = [await Visitor.as(chromium, alice, path), await Visitor.as(chromium, bob, path)]
    const bird = { name: 'bird.png', mimeType: 'image/png', buffer: Buffer.from(await png(900, 600)) }
    const choosing = sender.page.waitForEvent('filechooser')
    await sender.button('Add files').click()
    await (
      await choosing
    ).setFiles([bird, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a heron') }])
    await sender.misses(sender.page.locator('.tray progress').first())
    await sender.say('Look')
    await reader.sees(reader.message('Look').locator('.image img'))
    const box = await reader.message('Look').locator('.image').boundingBox()
    expect([box?.width, box?.height].map((n) => Math.round(n ?? 0))).toEqual([402, 269])
    await reader.button('Open bird.png').click()
    await reader.sees(reader.page.locator('dialog.viewer img'))
    await reader.until(() =>
      reader.page.evaluate(() => document.querySelector<HTMLImageElement>('dialog img')?.naturalWidth === 900),
    )
    await reader.page.keyboard.press('Escape')
    const fetched = reader.page.waitForEvent('popup').catch(() => undefined)
    const downloading = reader.page.waitForEvent('download')
    await reader.button(/notes.txt/).click()
    await Promise.race([downloading, fetched])

    for (const kind of ['paste', 'drop'] as const) {
      await sender.composer().evaluate((box, kind) => {
        const data = new DataTransfer()
        data.items.add(new File(['a kestrel'], `${kind}.txt`, { type: 'text/plain' }))
        const options = { bubbles: true, cancelable: true }
        box.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data }),
        )
      }, kind)
      await sender.misses(sender.page.locator('.tray progress').first())
      await sender.say(`by ${kind}`)
      await reader.sees(reader.message(`by ${kind}`).getByText(`${kind}.txt`))
    }
    for (const visitor of [sender, reader]) await visitor.leave()
  },
)

browserTest(
  browser,
  'unread channels are marked, a line shows the first new message, and reading removes both',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await room(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    await say(alice, channel_id, 'read already')
    const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await reader.sees(reader.message('read already'))
    await reader.misses(reader.page.locator('.sidebar .unread'))
    await reader.link('other').click()
    await reader.page.waitForTimeout(900)
    await say(alice, channel_id, `a call for <@${bob.id}>`)
    await say(alice, channel_id, 'and more')
    const link = reader.page.locator('.sidebar .unread')
    await reader.sees(link)
    expect(await link.locator('.badge').getAttribute('data-count')).toBe('1')
    await link.getByRole('link').click()
    await reader.sees(reader.page.locator('.message:has(.rule.new)', { hasText: 'a call for' }))
    await reader.misses(link)
    await reader.page.reload()
    await reader.sees(reader.message('and more'))
    await reader.misses(link)
    expect(other.name).toBe('other')
    await reader.leave()
  },
)

browserTest(browser, 'a reload and a lost connection lose no message and send none twice', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await room(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, alice, path)
  await visitor.say('before')
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'before' }))
  await visitor.page.reload()
  await visitor.sees(visitor.message('before'))

  await visitor.page.context().setOffline(true)
  await bob.post('/api/auth/ws-ticket')
  // setOffline keeps open sockets, so the page gets the event too.
  await visitor.page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await visitor.say('written offline')
  await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'written offline' }))
  await say(bob, channel_id, 'said meanwhile')
  await visitor.page.reload().catch(() => {})
  await visitor.page.context().setOffline(false)
  await visitor.page.goto(parley.url + path)
  await visitor.sees(visitor.message('said meanwhile'))
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'written offline' }))
  const { body } = await bob.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content).toSorted()).toEqual([
    'before',
    'said meanwhile',
    'written offline',
  ])
  await visitor.leave()
})
