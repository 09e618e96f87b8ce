import { expect } from 'bun:test'
import { type Person, person, newServer } from '../support/harness.ts'
import { guestInvite } from '../support/guests.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { voiceChannel } from '../support/voice-people.ts'

const browser = await openBrowser()
const parley = await bootCalls()
const PHONE = { viewport: { width: 390, height: 844 } }
const speaks = (visitor: Visitor, name: string) =>
  visitor.sees(visitor.page.locator('.participants .speaking', { hasText: name }))

/** A server with a host who talks in a call, and the path of an invite that lets guests in. */
async function perch(host: Person) {
  const { server_id } = await newServer(host)
  const id = await voiceChannel(host, server_id, 'Perch')
  return { server_id, id, path: `/invite/${await guestInvite(host, server_id)}` }
}

browserTest(browser, 'from a link to hearing others: a name and three clicks', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, id, path } = await perch(ann)
  const host = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${id}`)
  await host.button('Join voice').click()
  const guest = await Visitor.stranger(chromium, parley, path)
  await guest.field('Your name').fill('Marsh Harrier')
  expect(await faultsOf(guest)).toEqual([])
  await shootThemes(guest, 'guest-invite')
  await guest.button('Join as a guest').click()
  await guest.link(/Perch/).click()
  await guest.button('Join voice').click()
  await speaks(guest, ann.display_name)
  await speaks(host, 'Marsh Harrier')
  for (const visitor of [host, guest]) await visitor.leave()
})

browserTest(
  browser,
  'the form of a guest fits a phone, and so does the one that keeps its account',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const { path } = await perch(ann)
    const guest = await Visitor.stranger(chromium, parley, path, PHONE)
    await guest.field('Your name').fill('Bittern')
    expect(await faultsOf(guest)).toEqual([])
    await shootThemes(guest, 'guest-invite-phone')
    const overflow = () =>
      guest.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await guest.until(async () => (await overflow()) <= 0)
    await guest.leave()
  },
)
