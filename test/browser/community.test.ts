import { beforeAll, expect } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../src/parley.ts'
import { newServer, type Person, person, say } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { sound } from '../support/ogg.ts'
import { png, upload } from '../support/uploads.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { smallTargets } from '../support/browser/targets.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { voiceChannel, voicePair } from '../support/voice-people.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

/** Opens a tab of the settings of a server; on a phone from the drawer. */
async function openSettings(visitor: Visitor, tab: string, isPhone = false): Promise<void> {
  if (isPhone) await visitor.page.locator('.menu-button').tap()
  await visitor.inServerMenu('Server settings')
  await visitor.page.locator('dialog nav button', { hasText: new RegExp(`^${tab}$`) }).click()
}

async function inspect(visitor: Visitor, name: string): Promise<void> {
  expect([name, await faultsOf(visitor)]).toEqual([name, []])
  await shootThemes(visitor, name)
}

browserTest(
  browser,
  'the pages of members, sounds and roles have no faults of accessibility, also on a phone',
  async (chromium) => {
    const people = await Promise.all(['ann', 'ben', 'cleo', 'dora'].map((name) => person(parley, name)))
    const [ann, ben, cleo, dora] = people as [Person, Person, Person, Person]
    const { server_id, channel_id } = await newServer(ann, ben, cleo, dora)
    await voiceChannel(ann, server_id, 'Hide')
    const path = `/api/servers/${server_id}`
    const role = (await ann.post(`${path}/roles`, { name: 'Wardens of the fen', color: '#2266aa' })).body.id
    await ann.post(`${path}/members/${ben.id}/roles/${role}`)
    const picture = await upload(ann, 'owl.png', 'image/png', await png(64, 64))
    expect((await ann.put(`/api/roles/${role}/icon`, { file_id: picture.id })).status).toBe(200)
    await ann.post(`${path}/members/${ben.id}/warnings`, { reason: 'Loud' })
    const file = await upload(ann, 'owl.ogg', 'audio/ogg', sound(1))
    await ann.post(`${path}/sounds`, { name: 'Tawny owl', emoji: '🦉', file_id: file.id })
    await say(ben, channel_id, 'Heard at dusk')
    const place = `/app/servers/${server_id}/channels/${channel_id}`
    for (const [kind, options] of [
      ['wide', {}],
      ['phone', PHONE],
    ] as const) {
      const visitor = await Visitor.as(chromium, ann, place, options)
      await visitor.sees(visitor.message('Heard at dusk').locator('img.role-icon'))
      await inspect(visitor, `${kind}-role-icon`)
      await openSettings(visitor, 'Members', kind === 'phone')
      await visitor.field(`Select ${cleo.display_name}`).check()
      await visitor.field(`Select ${ben.display_name}`).check()
      await visitor.sees('2 selected')
      await inspect(visitor, `${kind}-members`)
      if (kind === 'phone') expect(await smallTargets(visitor)).toEqual([])
      await visitor.button('Time out').click()
      await inspect(visitor, `${kind}-members-act`)
      await visitor.page.keyboard.press('Escape')
      await visitor.page.keyboard.press('Escape')
      await visitor.leave()
    }
    const visitor = await Visitor.as(chromium, ann, place)
    await openSettings(visitor, 'Sounds')
    await visitor.sees(visitor.button('Listen to Tawny owl'))
    const opusFile = join(mkdtempSync(join(tmpdir(), 'sounds-')), 'Bittern.opus')
    writeFileSync(opusFile, sound(2))
    const chooser = visitor.page.waitForEvent('filechooser')
    await visitor.button('Upload a sound').click()
    await (await chooser).setFiles(opusFile)
    await visitor.sees(visitor.button('Listen to Bittern'))
    await inspect(visitor, 'sounds')
    await visitor.page.keyboard.press('Escape')
    await openSettings(visitor, 'Overview')
    await visitor.field('Move idle members of calls to').selectOption('Hide')
    await visitor.sees(visitor.field('A member is idle after'))
    await visitor.field('A member is idle after').scrollIntoViewIfNeeded()
    await inspect(visitor, 'afk')
    await visitor.page.locator('dialog form .primary').first().click()
    await visitor.until(async () => (await ann.get(path)).body.afk_channel_id !== null)
    await visitor.page.keyboard.press('Escape')
    await visitor.leave()
    const roles = await Visitor.as(chromium, ann, place)
    await openSettings(roles, 'Roles')
    await roles.sees(roles.page.locator('dialog img.role-icon'))
    await inspect(roles, 'role-form')
    await roles.leave()
  },
)

browserTest(browser, 'a sound is heard by those in the call who want to hear sounds', async (chromium) => {
  const { ann, ben, server_id, path } = await voicePair(parley)
  const file = await upload(ann, 'owl.ogg', 'audio/ogg', sound(1))
  await ann.post(`/api/servers/${server_id}/sounds`, { name: 'Tawny owl', emoji: '🦉', file_id: file.id })
  const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
  for (const { page } of [first, second])
    await page.evaluate(() => {
      const ends: string[] = []
      Reflect.set(window, 'soundsPlayed', ends)
      const Native = Audio
      Object.assign(window, {
        Audio: class extends Native {
          constructor(url?: string) {
            super(url)
            if (url) this.addEventListener('ended', () => ends.push(url))
          }
        },
      })
    })
  for (const visitor of [first, second]) {
    await visitor.button('Join voice').click()
    await visitor.sees(visitor.page.getByRole('region', { name: 'Voice call' }))
  }
  const playedIn = ({ page }: Visitor) => page.evaluate(() => (Reflect.get(window, 'soundsPlayed') as string[]).length)
  await first.button('Sounds').first().click()
  await first.sees(first.button('Play Tawny owl'))
  expect(await faultsOf(first)).toEqual([])
  await shootThemes(first, 'sound-board')
  // A second one at once is refused, in words.
  await first.button('Play Tawny owl').evaluate((button: HTMLElement) => (button.click(), button.click()))
  await first.sees(first.page.getByRole('alert'))
  for (const visitor of [first, second]) await visitor.until(async () => (await playedIn(visitor)) === 1)
  await second.button('Sounds').first().click()
  await second.field('Never play sounds for me').check()
  await first.until(async () => {
    await first.button('Play Tawny owl').click()
    return (await playedIn(first)) > 1
  })
  expect(await playedIn(second)).toBe(1)
  for (const visitor of [first, second]) await visitor.leave()
})
