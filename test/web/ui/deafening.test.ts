import { beforeAll, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { person } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { Page } from '../../support/page.ts'
import { inVoice, voiceServer } from '../../support/voice-people.ts'

let parley: Parley
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

test('a moderator deafens a member from the list of a call and from the call, and others cannot', async () => {
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  const { server_id, channel_id } = await voiceServer(alice, bob, carol)
  const { gateway } = await inVoice(bob, channel_id)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [page, plain] = [await Page.as(alice, path), await Page.as(carol, path)]
  const rowOn = (of: Page) => of.getByRole('navigation', { name: 'Channels' }).getByText(bob.display_name)
  const deafened = (isDeaf: boolean) => gateway.next('voice.peer_updated', ({ d }) => d.server_deaf === isDeaf)
  // Somebody without the permission has neither entry.
  await rowOn(plain).click({ button: 'right' })
  await plain.sees(plain.getByRole('menuitem', { name: 'Send a message' }))
  expect(await plain.getByRole('menuitem', { name: 'Deafen member' }).count()).toBe(0)
  expect(await plain.button(`Volume and more for ${bob.display_name}`).count()).toBe(0)
  // The menu of the member.
  await rowOn(page).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Deafen member' }).click()
  await deafened(true)
  await page.sees(page.locator('.participants').getByRole('img', { name: 'deafened' }))
  await plain.sees(plain.locator('.participants').getByRole('img', { name: 'deafened' }))
  // The options of the member in the call, which say the opposite now.
  await page.button(`Volume and more for ${bob.display_name}`).click()
  await page.button('Undeafen member').click()
  await deafened(false)
  await page.misses(page.locator('.participants').getByRole('img', { name: 'deafened' }))
  await page.button('Deafen member').click()
  await page.sees(page.button('Undeafen member'))
  await page.keyboard.press('Escape')
  await rowOn(page).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Undeafen member' }).click()
  await page.misses(page.locator('.participants').getByRole('img', { name: 'deafened' }))
  expect(
    (await alice.get(`/api/servers/${server_id}/audit-log?limit=10`)).body.map(({ action }: any) => action),
  ).toEqual(expect.arrayContaining(Array(4).fill('member.voice_deafened')))
  gateway.close()
  await plain.leave()
  await page.leave()
})
