import { beforeAll, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { newServer, person } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { Page } from '../../support/page.ts'
import { stageServer } from '../../support/stages.ts'
import { inVoice } from '../../support/voice-people.ts'
import { done } from '../../support/voice-sfu-people.ts'

let parley: Parley
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

test('a stage is created in the dialog of channels, and is listed with its icon', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const page = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.sees(page.composer())
  await page.button('New voice channel').click()
  await page.field('Type').selectOption('stage')
  await page.sees(page.dialog('New stage'))
  await page.field('Channel name').fill('Owl talk')
  await page.button('Create channel').click()
  await page.sees('Nobody is speaking yet.')
  const channels = (await alice.get(`/api/servers/${server_id}/channels`)).body
  expect(channels.map(({ type }: { type: string }) => type)).toContain('stage')
  await page.leave()
})

test('the list shows speakers and the number of listeners; moderators see raised hands in their order', async () => {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const { server_id, channel_id } = await stageServer(alice!, bob!, carol!)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [a, b, c] = [
    await inVoice(alice!, channel_id),
    await inVoice(bob!, channel_id),
    await inVoice(carol!, channel_id),
  ]
  await done(a.gateway, 'voice.go_up')
  const [page, plain] = [await Page.as(alice!, path), await Page.as(bob!, path)]
  const list = page.getByRole('navigation', { name: 'Channels' })
  await page.sees(list.getByText(alice!.display_name))
  await page.sees(list.getByTitle('2 listeners'))
  expect(await list.getByText(bob!.display_name).count()).toBe(0)
  expect(await page.locator('.hands').count()).toBe(0)
  for (const each of [c, b]) await done(each.gateway, 'voice.raise_hand', { raised: true })
  const hands = page.locator('.hands li bdi')
  await page.until(async () => (await hands.count()) === 2)
  const names = await Promise.all([0, 1].map((at) => hands.nth(at).textContent()))
  expect(names).toEqual([carol!.display_name, bob!.display_name])
  expect(await plain.locator('.hands').count()).toBe(0)
  await page.button(`Let ${carol!.display_name} speak`).click()
  await c.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === true)
  await page.button(`Lower ${bob!.display_name}’s hand`).click()
  await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.raised_at === null)
  await page.misses(page.locator('.hands'))
  await page.sees(list.getByLabel('1 listener'))
  for (const { gateway } of [a, b, c]) gateway.close()
  await plain.leave()
  await page.leave()
})
