import { afterAll, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { boot, person, standard, stop } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { voiceServer } from '../../support/voice-people.ts'

const parley = await boot({ CALLS_ENCRYPTION: 'preferred' })
afterAll(() => stop(parley))

/** The settings of a server with a voice channel, as its owner sees them. */
async function settings(of: Parley) {
  const ann = await person(of, 'ann')
  const { server_id, channel_id } = await voiceServer(ann)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.inServerMenu('Server settings')
  return { ann, page, path: `/api/servers/${server_id}` }
}

test('who manages a server chooses whether its calls are encrypted, and reads what that means', async () => {
  const { ann, page, path } = await settings(parley)
  const field = page.field('Encrypt calls end to end')
  await page.sees('While somebody is in a call whose app cannot encrypt')
  await field.selectOption('required')
  await page.sees('Members whose app cannot encrypt, such as bots, cannot join calls.')
  await page.until(async () => (await ann.get(path)).body.calls_encryption === 'required')
  await field.selectOption('off')
  await page.sees('The server can hear the calls that pass through it.')
  await page.until(async () => (await ann.get(path)).body.calls_encryption === 'off')
  await page.leave()
})

test('where the installation encrypts no calls, servers do not offer it', async () => {
  const { page } = await settings(await standard())
  await page.sees(page.field('Announce new members in'))
  await page.misses(page.field('Encrypt calls end to end'))
  await page.leave()
})
