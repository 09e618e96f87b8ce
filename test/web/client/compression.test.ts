import { expect, test } from 'bun:test'
import type { ServerWebSocket } from 'bun'
import { openClient } from '../../../src/web/client/client.ts'
import { say, standard, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const LONG = 'A kingfisher above the water. '.repeat(100)

test('the client asks for compression, and delivers frames in the order in which they were sent', async () => {
  const parley = await standard()
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const { gateway } = openClient({ base: parley.url, token: bob.token })
  const written: string[] = []
  const types: string[] = []
  gateway.listen(({ t, d }) => {
    types.push(t)
    if (t === 'message.created') written.push(d.content)
  })
  gateway.connect()
  await until(() => gateway.state === 'online')
  // One's own presence may come after it.
  expect([types[0], types.filter((type) => type !== 'presence.updated').at(-1)]).toEqual(['ready', 'synced'])
  const texts = Array.from({ length: 20 }, (_, n) => `${n} ${n % 3 === 0 ? LONG : 'A wren'}`)
  for (const text of texts) await say(alice, channel_id, text)
  await until(() => written.length === texts.length)
  expect(written).toEqual(texts)
  gateway.disconnect()
})

test('after a frame that cannot be unpacked the client delivers nothing, and connects again', async () => {
  const queries: string[] = []
  const delivered: string[] = []
  const server = Bun.serve<undefined>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, itself) {
      queries.push(new URL(request.url).search)
      return itself.upgrade(request) ? undefined : new Response()
    },
    websocket: {
      open(socket: ServerWebSocket) {
        socket.send('{"t":"ready","d":{"resumed":false}}')
        if (queries.length === 1) socket.send(Uint8Array.of(0xff, 0xff, 0xff))
        socket.send('{"t":"synced","d":{"s":7}}')
      },
      message() {},
    },
  })
  const { gateway } = openClient({ base: server.url.origin, token: 'a.b.c' })
  gateway.listen(({ t }) => delivered.push(t))
  gateway.connect()
  await until(() => gateway.state === 'online')
  expect(delivered).toEqual(['ready', 'ready', 'synced'])
  expect(queries.map((query) => new URLSearchParams(query).get('compress'))).toEqual(['deflate', 'deflate'])
  gateway.disconnect()
  await server.stop(true)
})
