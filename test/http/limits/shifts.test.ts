import { afterAll, expect, test } from 'bun:test'
import { boot, person, stop } from '../../support/harness.ts'
import { HANG_MS } from '../../support/until.ts'

const parley = await boot({ RATE_LIMITS: 'on' })
afterAll(() => stop(parley))

const count = (answers: { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, (answer) => answer.status)].map(([status, of]) => [status, of.length]))

test('changes that shift a whole list or go to every server have a stricter limit', async () => {
  const mallory = await person(parley, 'mallory')
  const { body: server } = await mallory.post('/api/servers', { name: 'Birdwatchers' })
  const { body: role } = await mallory.post(`/api/servers/${server.id}/roles`, { name: 'Moderators' })
  const moves = await Promise.all(
    Array.from({ length: 33 }, () => mallory.put(`/api/roles/${role.id}`, { position: 1 })),
  )
  expect(count(moves)).toEqual({ 200: 29, 429: 4 })
  const refused = moves.find(({ status }) => status === 429)
  expect(refused?.headers.get('ratelimit-policy')).toBe('"shifts";q=30;w=150')
  expect((await mallory.put(`/api/roles/${role.id}`, { name: 'Keepers' })).status).toBe(200)
  const names = []
  for (let n = 0; n < 11; n++) names.push(await mallory.put('/api/auth/display-name', { display_name: `Al ${n}` }))
  expect(count(names)).toEqual({ 200: 10, 429: 1 })
})

test('requests that read many messages, or send an event for each, have a stricter limit', async () => {
  const alice = await person(parley, 'alice')
  const { body: server } = await alice.post('/api/servers', { name: 'Birdwatchers' })
  const draft = { name: 'owls', type: 'text' }
  const { body: channel } = await alice.post(`/api/servers/${server.id}/channels`, draft)
  const [unread, deleted] = [
    `/api/unread?channel_ids=${channel.id}`,
    `/api/channels/${channel.id}/messages/bulk-delete`,
  ]
  const mark = () => alice.post(`/api/channels/${channel.id}/unread`, { message_id: 1 })
  const calls: [policy: string, call: () => Promise<{ status: number; headers: Headers }>][] = [
    ['"unread";q=30;w=10', () => alice.get(unread)],
    ['"emoji-used";q=30;w=10', () => alice.post('/api/emoji/used', { message_ids: [1] })],
    ['"bulk-deletions";q=10;w=20', () => alice.post(deleted, { ids: [1] })],
    ['"marks";q=30;w=30', mark],
    ['"marks";q=30;w=30', () => alice.post(`/api/servers/${server.id}/read-all`)],
  ]
  for (const [policy, call] of calls) {
    const deadline = performance.now() + HANG_MS
    let answer = await call()
    // The limit of all requests refuses some of them, and quickly: how many it takes depends on the machine.
    const isRefused = () => answer.status === 429 && answer.headers.get('ratelimit-policy')?.includes(policy) === true
    while (!isRefused() && performance.now() < deadline) answer = await call()
    expect([policy, isRefused()]).toEqual([policy, true])
  }
})
