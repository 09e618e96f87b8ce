import { expect, test } from 'bun:test'
import { boot, person, Person, until } from './harness.ts'
import { redisProgram, redisServer } from './redis.ts'
import { connect } from './socket.ts'
import { inVoice, joinVoice, presentIn, voiceRoom } from './voice-people.ts'

const redis = await redisServer()
const one = await boot({ REDIS_URL: redis.url, S3_ENDPOINT: '' })
const two = await boot({}, one)
const at = (parley: typeof one, { id, username, email, display_name, token }: Person) =>
  new Person(parley, id, username, email, display_name, token)

test('x', async () => {
  const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
  const { channel_id } = await voiceRoom(alice, bob)
  const a = await inVoice(alice, channel_id)
  const b = await inVoice(at(two, bob), channel_id)
  console.log(b.seat.peers)
  await a.gateway.next('voice.peer_joined')
  await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate: { candidate: 'x' } })
  console.log((await b.gateway.next('voice.candidate')).d)
  await b.gateway.next('voice.state_updated')
})
