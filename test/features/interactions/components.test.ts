import { expect, test } from 'bun:test'
import { standard } from '../../support/harness.ts'
import { button, stageOf } from '../../support/interactions.ts'
import { passersBy } from '../../support/people.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const stage = stageOf(alice, bob)

test('buttons have four styles, a link opens only a web address, and rows have their bounds', async () => {
  const { bot, channel_id, seen, close } = await stage()
  const path = `/api/channels/${channel_id}/messages`
  const styles = ['primary', 'secondary', 'success', 'danger']
  const buttons = styles.map((style) => ({ ...button(style), style, disabled: false }))
  const link = { type: 'link', label: 'Rules', url: 'https://example.org/rules' }
  const sent = await bot.post(path, { components: [buttons, [link]] })
  expect([sent.status, sent.body.errors]).toEqual([201, undefined])
  const { d } = await seen.next('message.created', (frame) => frame.d.id === sent.body.id)
  expect(d.data.components).toEqual([buttons, [link]])

  const select = { type: 'select', custom_id: 'select', options: [{ label: 'A', value: 'a' }] }
  const row = (count: number) => Array.from({ length: count }, (_, n) => button(`b${n}`))
  const wrong: unknown[] = [
    [[{ ...button('a'), style: 'link' }]],
    ...['javascript:alert(1)', 'ftp://example.org/', '/rules', ''].map((url) => [[{ ...link, url }]]),
    [[{ ...link, custom_id: 'a' }]],
    [[]],
    [row(6)],
    Array.from({ length: 6 }, (_, n) => [button(`r${n}`)]),
    [[button('a')], [button('a')]],
    [[button('a'), select]],
  ]
  for (const components of wrong) {
    const { status, body } = await bot.post(path, { content: 'x', components })
    expect([components, status, body.code]).toEqual([components, 422, 'validation_failed'])
  }
  close()
})
