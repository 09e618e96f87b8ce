import { afterAll, expect, test } from 'bun:test'
import { boot, person, stop } from '../../support/harness.ts'

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
