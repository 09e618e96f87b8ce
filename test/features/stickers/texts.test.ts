import { afterAll, expect, test } from 'bun:test'
import { boot, stop } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { settled, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'
import { report } from '../../support/reports.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1', PUBLIC_URL: 'https://chat.example.org' })
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

test('notices to devices and the evidence of reports say what a sticker shows', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  await befriend(alice, bob)
  const fields = { name: 'Otter', alt: 'An otter waves', key: '0'.repeat(32), size: 1, is_animated: false }
  const [row] = await parley.parts.sql<{ id: number }[]>`
    insert into stickers ${parley.parts.sql({ ...fields, server_id, creator_id: alice.id })} returning id`
  const sticker_id = row?.id
  const phone = await subscribe(service, bob)
  const sent = await alice.post('/api/dm/messages', { recipient_id: bob.id, sticker_id })
  expect(sent.status).toBe(201)
  await settled(parley)
  expect(phone.texts()).toEqual(['Otter · An otter waves'])
  const { body } = await alice.post(`/api/channels/${channel_id}/messages`, { sticker_id })
  await report(bob, body.id)
  const [evidence] = await parley.parts.sql<{ content: string }[]>`
    select content from report_evidence where message_id = ${body.id}`
  expect(evidence?.content).toBe('Otter · An otter waves')
})
