import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { png, upload } from '../../support/uploads.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

/** A message by bob, with alice as the server's owner. */
async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  await bob.put('/api/auth/display-name', { display_name: 'Bob' })
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(bob, channel_id, 'Two kingfishers')
  return { alice, bob, server_id, channel_id, id, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

test('if two emoji have one name, the chosen one is sent, and an edit keeps it', async () => {
  const { alice, bob, channel_id, path } = await scene()
  const { id: file_id } = await upload(alice, 'owl.png', 'image/png', Buffer.from(await png(40, 40)))
  const elsewhere = (await alice.post('/api/servers', { name: 'Night birds' })).body
  const other = (await alice.post(`/api/servers/${elsewhere.id}/emoji`, { name: 'owl', file_id })).body
  const ownFile = await upload(alice, 'owl.png', 'image/png', Buffer.from(await png(60, 60)))
  const { server_id } = (await alice.get(`/api/channels/${channel_id}`)).body
  const own = (await alice.post(`/api/servers/${server_id}/emoji`, { name: 'owl', file_id: ownFile.id })).body
  const newest = async () => (await bob.get(`/api/channels/${channel_id}/messages`)).body[0]
  const visitor = await Page.as(alice, path)
  const page = visitor
  await visitor.sees(visitor.composer())
  await visitor.composer().pressSequentially('See :owl')
  const foreign = page.getByRole('option', { name: 'Night birds' })
  await visitor.sees(foreign)
  await foreign.click()
  await page.getByRole('button', { name: 'Insert an emoji' }).click()
  const search = page.getByRole('combobox', { name: 'Search emoji' })
  await search.fill('owl')
  await page.getByRole('option', { name: 'owl', exact: true }).nth(1).click()
  await visitor.until(async () => (await visitor.composer().inputValue()) === 'See :owl: :owl: ')
  await visitor.composer().press('End')
  await visitor.composer().pressSequentially('`x` :owl:')
  await page.keyboard.press('Enter')
  await visitor.until(async () => (await newest()).content.startsWith('See'))
  await visitor.misses(page.locator('.message.pending'))
  const content = `See <:owl:${other.id}> <:owl:${other.id}> \`x\` <:owl:${own.id}>`
  expect((await newest()).content).toBe(content)
  // One emoji is deleted, another renamed, and a third gets its name meanwhile.
  const row = visitor.message('See')
  await alice.put(`/api/emoji/${own.id}`, { name: 'barn_owl' })
  await alice.delete(`/api/emoji/${other.id}`)
  await visitor.until(async () => (await alice.get(`/api/servers/${server_id}/emoji`)).body[0].name === 'barn_owl')
  await visitor.composer().press('ArrowUp')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  expect(await editor.inputValue()).toBe('See :owl: :owl: `x` :owl:')
  await editor.press('Escape')
  await visitor.misses(editor)
  await visitor.composer().press('ArrowUp')
  await editor.press('Enter')
  await visitor.misses(editor)
  expect((await newest()).edited_at).toBeNull()
  await visitor.composer().press('ArrowUp')
  await editor.pressSequentially(' well')
  await editor.press('Enter')
  await visitor.sees(row.getByText('edited'))
  // The page shows it before the server has it.
  await visitor.until(async () => (await newest()).edited_at !== null)
  expect((await newest()).content).toBe(`${content} well`)
  await page.reload()
  await visitor.until(async () => (await row.locator('.rich img.emoji').count()) === 3)
  await visitor.leave()
})

test('messages are pinned, listed, shown and unpinned', async () => {
  const { alice, bob, channel_id, path } = await scene()
  const visitor = await Page.as(alice, path)
  const page = visitor
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
  await bob.put(`/api/messages/${heron.id}`, { content: 'Two herons' })
  await visitor.sees(panel.getByText('Two herons'))
  await panel.getByRole('button', { name: 'Open heron.png' }).click()
  await visitor.sees(page.locator('dialog.viewer').getByRole('img', { name: 'heron.png' }))
  await page.keyboard.press('Escape')
  await visitor.misses(page.locator('dialog.viewer'))
  await bob.delete(`/api/messages/${heron.id}`)
  await visitor.misses(panel.getByText('Two herons'))
  await panel.getByRole('button', { name: 'Jump to message' }).click()
  await visitor.misses(panel)
  await page.getByRole('button', { name: 'Pinned messages', exact: true }).click()
  await panel.getByRole('button', { name: 'Unpin message' }).click()
  await visitor.sees('Nothing is pinned here yet')
  await page.keyboard.press('Escape')
  await visitor.misses(row.locator('.pinned'))
  await visitor.leave()
})
