import { afterAll, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { boot, newServer, type Person, person, say, standard, stop } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { connect } from '../../support/socket.ts'
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

test('members who manage a server choose whether its calls are encrypted, and read what that means', async () => {
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

test('servers do not offer encryption if the installation encrypts no calls', async () => {
  const { page } = await settings(await standard())
  await page.sees(page.field('Announce new members in'))
  await page.misses(page.field('Encrypt calls end to end'))
  await page.leave()
})

/** Two people with a page each, on which both have written. */
async function pages() {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  for (const who of [ann, ben]) await say(who, channel_id, `Greetings of ${who.display_name}`)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  return { ann, ben, server_id, hers: await Page.as(ann, path), his: await Page.as(ben, path) }
}

async function compare(page: Page, who: Person): Promise<void> {
  await page.locator('.byline .name', { hasText: who.display_name }).first().click()
  await page.button('Compare numbers').click()
}

async function close(page: Page): Promise<void> {
  await page
    .getByRole('dialog', { name: /^Verify/ })
    .getByRole('button', { name: 'Close' })
    .click()
  await page.button('Close').click()
}

test('two people compare numbers in their profiles, and a new device has to be compared again', async () => {
  const { ann, ben, hers, his } = await pages()
  await compare(hers, ben)
  await hers.sees(`${ben.display_name} has not used encrypted calls yet.`)
  await hers.misses(hers.button('They are the same'))
  await close(hers)
  // Her device is known from her first look on.
  await compare(his, ann)
  await his.sees(his.button('They are the same'))
  await compare(hers, ben)
  await hers.sees(hers.button('They are the same'))
  await hers.sees(`They stand for devices of yours (1) and of ${ben.display_name} (1).`)
  const numberOn = (page: Page) => page.locator('.digits').textContent()
  const number = await numberOn(hers)
  expect(number).toMatch(/^(\d{5} ){5}\d{5}$/)
  expect(await numberOn(his)).toBe(number)
  await hers.button('They are the same').click()
  await hers.sees('Verified on')
  await hers.misses(hers.button('They are the same'))
  await close(hers)
  const gateway = await connect(ben)
  await gateway.command('voice.device_key', { key: 'c'.repeat(64) })
  gateway.close()
  await compare(hers, ben)
  await hers.sees(`${ben.display_name} has a new device since`)
  expect(await numberOn(hers)).not.toBe(number)
  await hers.button('They are the same').click()
  await hers.sees('Verified on')
  await hers.button('Remove verification').click()
  await hers.misses(hers.button('Remove verification'))
  await hers.leave()
  await his.leave()
})

test('a page notices when the server shows another history of devices, until the numbers are compared', async () => {
  const { ann, ben, hers, his } = await pages()
  const { sql } = parley.parts
  await compare(his, ann)
  // His device is known from his first look on.
  await his.sees(`${ann.display_name} has not used encrypted calls yet.`)
  const gateway = await connect(ben)
  await gateway.command('voice.device_key', { key: 'c'.repeat(64) })
  gateway.close()
  await compare(hers, ben)
  await hers.sees(hers.button('They are the same'))
  await close(hers)
  // As a restored server does, or one that hides something: the log begins anew, with the same devices.
  await sql`delete from device_logs where user_id = ${ben.id}`
  await compare(hers, ben)
  await hers.sees(`The server shows a different history of ${ben.display_name}’s devices than before.`)
  await close(hers)
  await compare(hers, ben)
  await hers.sees(`The server shows a different history of ${ben.display_name}’s devices than before.`)
  await hers.button('They are the same').click()
  await hers.sees('Verified on')
  await hers.misses(hers.locator('.warned'))
  await close(hers)
  await sql`delete from device_logs where user_id = ${ann.id}`
  await sql`update sessions set device_key = sha256('x') where user_id = ${ann.id}`
  await compare(hers, ben)
  await hers.sees('The server shows a different history of your own devices than before.')
  await hers.leave()
  await his.leave()
})

test('no warning and no number are shown of a person who shares no place any more', async () => {
  const { ann, ben, server_id, hers, his } = await pages()
  await compare(his, ann)
  await his.sees(`${ann.display_name} has not used encrypted calls yet.`)
  await his.leave()
  await compare(hers, ben)
  await hers.sees(hers.button('They are the same'))
  await hers.button('They are the same').click()
  await hers.sees('Verified on')
  await close(hers)
  expect((await ann.delete(`/api/servers/${server_id}/members/${ben.id}`)).status).toBe(204)
  await compare(hers, ben)
  await hers.sees(`You no longer share a server, message or group with ${ben.display_name}`)
  await hers.misses(hers.locator('.digits'))
  await hers.misses(hers.locator('.warned'))
  await hers.misses(hers.getByText('Verified on'))
  await hers.leave()
})
