import { beforeAll, expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { person, newServer } from '../support/harness.ts'
import { guestInvite } from '../support/guests.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { voiceChannel } from '../support/voice-people.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

/** Keeps each connection of the page, and counts the clicks of its person, over all its pages. */
function watchPage(): void {
  const connections: RTCPeerConnection[] = []
  const Native = RTCPeerConnection
  const Watched = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  Object.assign(window, { RTCPeerConnection: Watched, connections })
  addEventListener(
    'click',
    // Enter in a form also makes a click on its button: it counts, too.
    ({ isTrusted }) => isTrusted && sessionStorage.setItem('clicks', `${Number(sessionStorage.getItem('clicks')) + 1}`),
    { capture: true },
  )
}

/** Energy of the sound that reached the page over all its connections, by getStats. */
const heardEnergy = ({ page }: Visitor): Promise<number> =>
  page.evaluate(async () => {
    let energy = 0
    const connections: RTCPeerConnection[] = Reflect.get(window, 'connections')
    for (const connection of connections)
      for (const entry of (await connection.getStats()).values())
        if (entry.type === 'inbound-rtp' && entry.kind === 'audio') energy += entry.totalAudioEnergy ?? 0
    return energy
  })

const clicksOf = ({ page }: Visitor): Promise<number> => page.evaluate(() => Number(sessionStorage.getItem('clicks')))

/** Opens a guest link as a stranger does, types a name into the focused field, and goes into the call. */
async function enterCall(chromium: NonNullable<typeof browser>, code: string, name: string): Promise<Visitor> {
  const guest = await Visitor.stranger(chromium, parley)
  await guest.page.addInitScript(watchPage)
  await guest.page.goto(`${parley.url}/invite/${code}`)
  await guest.until(() => guest.field('Your name').evaluate((field) => field === document.activeElement))
  await guest.page.keyboard.type(name)
  await guest.button('Join as a guest').click()
  await guest.link('Hide').click()
  await guest.button('Join voice').click()
  await guest.sees(guest.page.getByRole('region', { name: 'Voice call' }))
  return guest
}

browserTest(browser, 'from a guest link to hearing others takes three clicks, on both ends', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  await voiceChannel(ann, server_id, 'Hide')
  const code = await guestInvite(ann, server_id)
  const guests = [await enterCall(chromium, code, 'Marsh Harrier'), await enterCall(chromium, code, 'Bittern')]
  for (const guest of guests) {
    // The fake microphone beeps. A second growth shows that the sound goes on.
    await guest.until(async () => (await heardEnergy(guest)) > 0.001)
    const before = await heardEnergy(guest)
    await guest.until(async () => (await heardEnergy(guest)) > before)
    expect(await clicksOf(guest)).toBe(3)
  }
  for (const guest of guests) await guest.leave()
})
