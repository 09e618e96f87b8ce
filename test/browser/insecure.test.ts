import { afterAll, expect } from 'bun:test'
import { launchChromium } from '../support/browser/chromium.ts'
import { browserTest, Visitor } from '../support/browser/visitor.ts'
import { type Person, newServer, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'

const HOST = 'chat.lan'
const parley = await standard()
/** A browser in which a name of a local network resolves to this machine: by http that origin is not secure. */
const browser = await launchChromium(undefined, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`).catch(() => undefined)
afterAll(() => browser?.close())

/** The person, with the server's URL under that name. */
const byName = (who: Person): Person => {
  const url = `http://${HOST}:${new URL(parley.url).port}`
  return { ...who, parley: { ...parley, url } }
}

/** Leaves, and checks the page's errors, except the warning that a header is ignored by http. */
async function leave(visitor: Visitor): Promise<void> {
  const { faults } = visitor
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.startsWith('The Cross-Origin-Opener-Policy')))
  await visitor.leave()
}

browserTest(browser, 'by http on a local network people send, upload, forward and copy', async (chromium) => {
  const [alice] = await passersBy(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, byName(alice), `/app/servers/${server_id}/channels/${channel_id}`)
  const { page } = visitor
  expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([false, false])
  await visitor.sees(page.locator('.beginning'))
  await visitor.say('Hello from the local network')
  await visitor.until(
    async () =>
      (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]?.content === 'Hello from the local network',
  )
  const choosing = page.waitForEvent('filechooser')
  await visitor.button('Add files').click()
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Herons at dusk') }
  await (await choosing).setFiles(notes)
  await visitor.sees('notes.txt')
  await visitor.misses(page.locator('.tray progress').first())
  await visitor.say('With a file')
  await visitor.sees(page.locator('.message', { hasText: 'With a file' }).getByText('notes.txt'))

  await visitor.message('Hello from the local network').hover()
  await visitor.act('Copy text')
  await visitor.sees('Text copied.')
  await visitor.composer().focus()
  await page.keyboard.press('Control+v')
  expect(await visitor.composer().inputValue()).toBe('Hello from the local network')
  await visitor.composer().fill('')

  await visitor.message('Hello from the local network').hover()
  await visitor.act('Forward')
  await page.getByRole('radio').first().check()
  await visitor.button('Forward').last().click()
  await visitor.sees('Forwarded.')
  await leave(visitor)
})

browserTest(browser, 'features that need HTTPS say so: devices, notices, a call', async (chromium) => {
  const [alice] = await passersBy(parley, 'alice')
  const { server_id } = await newServer(alice)
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'talk', type: 'voice' })).body
  const visitor = await Visitor.as(chromium, byName(alice), `/app/servers/${server_id}/channels/${voice.id}`)
  const { page } = visitor
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('button', { name: 'Notifications', exact: true }).click()
  await visitor.sees('Desktop notifications need HTTPS.')
  await sections.getByRole('button', { name: 'Calls', exact: true }).click()
  await visitor.sees('Your browser allows the microphone and camera only over HTTPS.')
  await page.keyboard.press('Escape')
  await visitor.button('Join voice').click()
  await visitor.sees(
    'Your browser allows the microphone, camera and screen sharing only over HTTPS. You can only listen.',
  )
  await leave(visitor)
})
