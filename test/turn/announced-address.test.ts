import { afterAll, expect, test } from 'bun:test'
import { boot, person, stop } from '../support/harness.ts'
import { bootRelay, portOf } from '../support/turn-client.ts'

const relay = await bootRelay()
afterAll(() => stop(relay))

/** What a server announces that asks this STUN server. */
async function announcedBy(variables: Record<string, string>): Promise<[string[], string | undefined]> {
  const parley = await boot(variables)
  const { TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS } = parley.parts.environment
  await stop(parley)
  return [TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS]
}

test('the address from outside is what a STUN server says, where none is configured', async () => {
  const STUN_SERVER = `127.0.0.1:${portOf(relay)}`
  expect(await announcedBy({ STUN_SERVER })).toEqual([['127.0.0.1'], '127.0.0.1'])
  const configured = { TURN_ANNOUNCED_ADDRESS: 'turn.example.org', SFU_ANNOUNCED_ADDRESS: '203.0.113.7' }
  expect(await announcedBy({ STUN_SERVER, ...configured })).toEqual([['turn.example.org'], '203.0.113.7'])
  expect(await announcedBy({})).toEqual([[], undefined])
})

test('clients are sent to the address that was found', async () => {
  const parley = await bootRelay({ STUN_SERVER: `127.0.0.1:${portOf(relay)}` })
  const alice = await person(parley, 'alice')
  const { ice_servers } = (await alice.get('/api/voice/ice-servers')).body
  expect(ice_servers[0].urls).toEqual([`stun:127.0.0.1:${portOf(parley)}`])
  await stop(parley)
})

test('a STUN server that does not answer stops nobody from starting', async () => {
  expect(await announcedBy({ STUN_SERVER: '127.0.0.1:9' })).toEqual([[], undefined])
  expect(await announcedBy({ STUN_SERVER: 'nowhere.invalid' })).toEqual([[], undefined])
})
