import { afterAll, expect, test } from 'bun:test'
import { boot, person, stop } from '../support/harness.ts'
import { bootRelay, portOf } from '../support/turn-client.ts'

const relay = await bootRelay()
afterAll(() => stop(relay))

/** The addresses that a server with these variables announces. */
async function announcedBy(variables: Record<string, string>): Promise<[string[], string | undefined]> {
  const parley = await boot(variables)
  const { TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS } = parley.parts.environment
  await stop(parley)
  return [TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS]
}

test('without a configured address the server announces the one that a STUN server reports', async () => {
  const STUN_SERVER = `127.0.0.1:${portOf(relay)}`
  expect(await announcedBy({ STUN_SERVER })).toEqual([['127.0.0.1'], '127.0.0.1'])
  const configured = { TURN_ANNOUNCED_ADDRESS: 'turn.example.org', SFU_ANNOUNCED_ADDRESS: '203.0.113.7' }
  expect(await announcedBy({ STUN_SERVER, ...configured })).toEqual([['turn.example.org'], '203.0.113.7'])
  expect(await announcedBy({})).toEqual([[], undefined])
})

test('ICE servers contain the address that the STUN server reported', async () => {
  const parley = await bootRelay({ STUN_SERVER: `127.0.0.1:${portOf(relay)}` })
  const alice = await person(parley, 'alice')
  const { ice_servers } = (await alice.get('/api/voice/ice-servers')).body
  expect(ice_servers[0].urls).toEqual([`stun:127.0.0.1:${portOf(parley)}`])
  await stop(parley)
})

test('the server starts when its STUN server does not answer', async () => {
  expect(await announcedBy({ STUN_SERVER: '127.0.0.1:9' })).toEqual([[], undefined])
  expect(await announcedBy({ STUN_SERVER: 'nowhere.invalid' })).toEqual([[], undefined])
})
