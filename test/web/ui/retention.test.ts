import { afterAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { DiskSpace } from '../../../src/core/disk-space.ts'
import { boot, person, newServer, say, stop } from '../../support/harness.ts'
import { makeOld } from '../../support/retention.ts'
import { Page } from '../../support/page.ts'

const parley = await boot({ MESSAGE_RETENTION_DAYS: '90', FILE_RETENTION_DAYS: '30' })
afterAll(() => stop(parley))

async function confirm(owner: Page): Promise<void> {
  await owner.button('Delete old messages').click()
  await owner.sees('Saved')
  await owner.misses(owner.getByRole('dialog', { name: 'Delete old messages' }))
}

test('a manager of a server sets how long messages are kept; all read it, and old ones leave the page', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const old = await say(ann, channel_id, 'Said long ago')
  const path = `/api/channels/${channel_id}/messages`
  const reply = (await ben.post(path, { content: 'An old answer', reply_to_id: old.id })).body
  await ben.post(path, { content: 'A young answer', reply_to_id: reply.id })
  await makeOld(parley, [old.id, reply.id])
  const page = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, member] = [await Page.as(ann, page), await Page.as(ben, page)]
  await member.sees('Messages are deleted after 90 days. Files are deleted after 30 days.')

  await owner.inServerMenu('Server settings')
  await owner.sees('In any case, messages are deleted after 90 days.')
  await owner.field('Delete old messages').selectOption('After 7 days')
  await owner.button('Save retention').click()
  await confirm(owner)
  await member.sees('Messages are deleted after 7 days. Files are deleted after 30 days.')
  await owner.button('Close').click()

  await owner.button('Settings of #general').click()
  await owner.button('Retention').click()
  await owner.sees('In any case, messages are deleted after 7 days.')
  await owner.field('Delete old messages').selectOption('After 1 day')
  await owner.button('Save retention').click()
  await confirm(owner)
  await owner.button('Close').click()
  await parley.sweep()
  await member.misses(member.message('Said long ago'))
  await member.sees('Older messages have been deleted.')
  await member.sees('Messages are deleted after 1 day.')
  await member.sees(member.message('A young answer').getByText('The original message was deleted'))
  expect(await member.locator('.message').count()).toBe(1)

  await owner.inServerMenu('Server settings')
  await owner.button('Audit log').click()
  await owner.sees('days until messages are deleted')
  for (const visitor of [owner, member]) await visitor.leave()
})

test('a server without space says so at the message and the file, and sends them when there is room', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.composer())
  const { space } = parley.parts
  parley.parts.space = new DiskSpace(async () => {}, { directory: tmpdir(), freeMinBytes: Number.MAX_SAFE_INTEGER })
  await visitor.say('Is anybody there?')
  await visitor.sees('Not sent: The server has no space left for new messages and files')
  const choosing = visitor.fileChooser()
  await visitor.button('Add files').click()
  await (await choosing).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') })
  await visitor.sees(visitor.locator('.tray .failed').getByText('The server has no space left'))
  parley.parts.space = space
  await visitor.locator('.message.refused').getByRole('button', { name: 'Try again' }).click()
  await visitor.misses(visitor.locator('.message.refused'))
  await visitor.sees(visitor.message('Is anybody there?'))
  await visitor.leave()
})
