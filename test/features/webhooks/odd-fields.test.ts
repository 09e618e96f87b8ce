import { expect, test } from 'bun:test'
import { textAt } from '../../../src/features/webhooks/payload.ts'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')
const { channel_id } = await place(alice)
const { url } = await webhook(alice, channel_id)

test('a colour of Slack with the name of a property of every object is no colour', async () => {
  for (const color of ['constructor', '__proto__', 'toString', 'good']) {
    expect((await post(alice, `${url}/slack`, { attachments: [{ text: 'x', color }] })).status).toBe(200)
    const { embeds } = await newest(alice, channel_id)
    expect([color, embeds[0].color]).toEqual([color, color === 'good' ? '#2eb886' : null])
  }
})

test('a field of a body is read in constant time, with any number of others', () => {
  const ownKeys = () => {
    throw new Error('The others are looked at')
  }
  expect(textAt(new Proxy({ ref: 'refs/heads/main' }, { ownKeys }), 'ref')).toBe('refs/heads/main')
  expect(textAt({ ref: 'refs/heads/main' }, '__proto__')).toBe('')
})
