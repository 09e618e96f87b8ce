import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { gif } from '../support/animations.ts'
import { avif, png, upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

/** A message by bob, with alice as the server's owner. */
async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  await bob.put('/api/auth/display-name', { display_name: 'Bob' })
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(bob, channel_id, 'Two kingfishers')
  return { alice, bob, server_id, channel_id, id, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

const pressed = { pressed: true }

browserTest(
  browser,
  'people react by a click, by the picker and by the keyboard, and see who reacted',
  async (chromium) => {
    const { alice, bob, id, path } = await scene()
    await bob.put(`/api/messages/${id}/reactions/👍/@me`)
    const visitor = await Visitor.as(chromium, alice, path)
    const { page } = visitor
    const row = visitor.message('Two kingfishers')
    const thumb = row.locator('.reactions').getByRole('button', { name: '👍' })
    await visitor.sees(thumb)
    await thumb.click()
    await visitor.sees(row.getByRole('button', { name: '👍: 2 reactions, including yours', ...pressed }))
    await visitor.until(async () => (await bob.get(`/api/messages/${id}`)).body.reactions[0].count === 2)
    await page.mouse.move(0, 0)
    await thumb.hover()
    await visitor.sees(row.getByRole('tooltip').filter({ hasText: /Bob.* reacted with/ }))
    // By search, arrows and Enter.
    await row.hover()
    await row.getByRole('button', { name: 'Add a reaction' }).first().click()
    const search = page.getByRole('combobox', { name: 'Search emoji' })
    await visitor.sees(search)
    await search.fill('owl')
    await visitor.sees(page.getByRole('option', { name: 'owl', exact: true }))
    expect(await faultsOf(visitor)).toEqual([])
    await search.press('Enter')
    await visitor.sees(row.getByRole('button', { name: '🦉: 1 reaction', ...pressed }))
    await visitor.until(async () => (await bob.get(`/api/messages/${id}`)).body.reactions.length === 2)
    // Reactions of others appear, and removing the last one removes the row.
    await bob.put(`/api/messages/${id}/reactions/🎉/@me`)
    await visitor.sees(row.getByRole('button', { name: '🎉: 1 reaction' }))
    await row.getByRole('button', { name: '🦉: 1 reaction' }).click()
    await visitor.misses(row.locator('.reactions').getByRole('button', { name: '🦉' }))
    // The list of people who reacted, and its end.
    await thumb.click({ button: 'right' })
    await visitor.sees(page.getByRole('dialog').getByText('Bob'))
    await page.getByRole('dialog').getByRole('button', { name: '🎉 1' }).click()
    await visitor.button('Remove everyone’s 🎉').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove everyone’s 🎉' }).last().click()
    await visitor.misses(row.locator('.reactions').getByRole('button', { name: '🎉' }))
    await thumb.click({ button: 'right' })
    await visitor.sees(page.getByRole('dialog').getByText('Bob'))
    await visitor.button('Remove all reactions').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all reactions' }).last().click()
    await visitor.misses(row.locator('.reactions'))
    await visitor.until(async () => (await bob.get(`/api/messages/${id}`)).body.reactions.length === 0)
    await visitor.leave()
  },
)

browserTest(browser, 'the list of pinned messages has no accessibility fault', async (chromium) => {
  const { alice, bob, channel_id, path } = await scene()
  const visitor = await Visitor.as(chromium, alice, path)
  const { page } = visitor
  const row = visitor.message('Two kingfishers').first()
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Pin message/ }).click()
  await visitor.sees(/pinned a message/)
  await visitor.button('See all pinned messages').click()
  const panel = page.getByRole('dialog', { name: 'Pinned messages' })
  await visitor.sees(panel.getByText('Two kingfishers'))
  // Pins, edits and deletions of others appear meanwhile, with their pictures.
  const { id: file_id } = await upload(bob, 'heron.png', 'image/png', Buffer.from(await png(60, 40)))
  const draft = { content: 'A heron', file_ids: [file_id] }
  const heron = (await bob.post(`/api/channels/${channel_id}/messages`, draft)).body
  await alice.put(`/api/channels/${channel_id}/pins/${heron.id}`)
  await visitor.sees(panel.getByRole('img', { name: 'heron.png' }))
  expect(await panel.locator('li .rich').allTextContents()).toEqual(['A heron', 'Two kingfishers'])
  await shootThemes(visitor, 'pins')
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.leave()
})

browserTest(browser, 'a server’s own emoji is added, written, reacted with, renamed and deleted', async (chromium) => {
  const { alice, bob, server_id, channel_id, path } = await scene()
  const { id: file_id } = await upload(alice, 'heron.gif', 'image/gif', gif())
  const heron = (await alice.post(`/api/servers/${server_id}/emoji`, { name: 'heron', file_id })).body
  const visitor = await Visitor.as(chromium, alice, path)
  const { page } = visitor
  await visitor.sees(visitor.composer())
  // The browser's own decoder finds the animation in it.
  const frames = await page.evaluate(async (url) => {
    const decoder = new ImageDecoder({ data: await (await fetch(url)).arrayBuffer(), type: 'image/webp' })
    await Promise.all([decoder.tracks.ready, decoder.completed])
    const counts: (number | null)[] = []
    for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++)
      counts.push((await decoder.decode({ frameIndex })).image.duration)
    return counts
  }, heron.url as string)
  expect(frames).toEqual([200_000, 50_000, 100_000, 300_000])
  const still = await (await fetch(`${parley.url}${heron.url}?still`)).bytes()
  expect([still.length > 0, Buffer.from(still).includes('ANMF')]).toEqual([true, false])
  await visitor.inServerMenu('Server settings')
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await visitor.field('Emoji name').fill('owl')
  const choosing = page.waitForEvent('filechooser')
  await visitor.button('Upload a picture').click()
  await (await choosing).setFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from(await png(200, 200)) })
  await visitor.sees(page.getByLabel('Rename :owl:'))
  expect(await faultsOf(visitor)).toEqual([])
  // AVIF works too: the browser decodes it if the server's system cannot.
  const chosenAvif = page.waitForEvent('filechooser')
  await visitor.button('Upload a picture').click()
  await (await chosenAvif).setFiles({ name: 'Wren.avif', mimeType: 'image/avif', buffer: Buffer.from(avif()) })
  await visitor.sees(page.getByLabel('Rename :wren:'))
  await page.getByLabel('Rename :heron:').fill('egret')
  await page.getByLabel('Rename :heron:').press('Enter')
  await visitor.sees(page.getByLabel('Rename :egret:'))
  await page.keyboard.press('Escape')
  await visitor.misses(page.getByRole('dialog'))
  // Completed in the composer, and drawn for others.
  await visitor.composer().pressSequentially('See :ow')
  // Once Unicode's names are loaded, the emoji of Unicode is found too.
  await visitor.sees(page.getByRole('option', { name: ':owl:' }).first())
  await page.keyboard.press('Tab')
  expect(await visitor.composer().inputValue()).toBe('See :owl: ')
  await page.keyboard.press('Enter')
  await visitor.sees(page.locator('.message:not(.pending) .rich img.emoji[alt=":owl:"]'))
  const [message] = (await bob.get(`/api/channels/${channel_id}/messages`)).body
  expect(message.content).toMatch(/^See <:owl:\d+>$/)
  // A name becomes its emoji at its completion; a pasted one, when it is sent.
  await visitor.composer().pressSequentially('Ha :smile')
  await visitor.sees(page.getByRole('option').first())
  await visitor.composer().pressSequentially(':')
  await visitor.until(async () => (await visitor.composer().inputValue()) === 'Ha 😄')
  await visitor.say(':tada: :owl: `:tada:` http://x.test/:tada:/ a:tada: :none:')
  const newest = async () => (await bob.get(`/api/channels/${channel_id}/messages`)).body[0].content
  await visitor.until(async () => (await newest()).includes('🎉'))
  expect(await newest()).toMatch(/^🎉 <:owl:\d+> `:tada:` http:\/\/x\.test\/:tada:\/ a:tada: :none:$/)
  const other = await Visitor.as(chromium, bob, path, { reducedMotion: 'reduce' })
  await other.sees(other.message('See').locator('.rich img.emoji[alt=":owl:"]'))
  await other.message('See').hover()
  await other.message('See').getByRole('button', { name: 'Add a reaction' }).click()
  await other.page.getByRole('combobox', { name: 'Search emoji' }).fill('egret')
  await other.page.getByRole('option', { name: 'egret' }).click()
  await visitor.sees(page.locator('.reactions img.emoji[alt=":egret:"]'))
  // With reduced motion it stands still without the pointer or the focus.
  const egret = other.page.locator('.reactions img.emoji[alt=":egret:"]')
  const isStill = (wasStill: boolean) =>
    other.until(() =>
      egret.evaluate((img, end) => (img as HTMLImageElement).currentSrc.endsWith('?still') === end, wasStill),
    )
  await other.page.mouse.move(0, 0)
  await isStill(true)
  await egret.hover()
  await isStill(false)
  await other.page.mouse.move(0, 0)
  await isStill(true)
  await other.page.locator('.reactions button:has(img.emoji)').focus()
  await isStill(false)
  await visitor.until(() =>
    page.locator('.reactions img.emoji').evaluate((img) => !(img as HTMLImageElement).currentSrc.includes('still')),
  )
  // A deleted emoji stays in old messages.
  const owl = /\d+/.exec(message.content)?.[0]
  await alice.delete(`/api/emoji/${owl}`)
  await page.reload()
  await visitor.sees(visitor.message('See').locator('.rich img.emoji[alt=":owl:"]'))
  await visitor.leave()
  await other.leave()
})
