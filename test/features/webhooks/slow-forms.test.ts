import { connect, type Socket } from 'node:net'
import { expect, test } from 'bun:test'
import { boot, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { post, webhook } from '../../support/webhooks.ts'

/** Sends a form byte by byte. @returns the first line of the answer */
async function slowForm(url: string, from: string, sockets: Socket[], length = 'content-length: 20000000') {
  const { hostname, port, pathname, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  const type = 'content-type: multipart/form-data; boundary=x'
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, `x-forwarded-for: ${from}`, type, length]
  const isChunked = length.startsWith('transfer')
  socket.write(`${head.join('\r\n')}\r\n\r\n${isChunked ? '3\r\n--x\r\n' : '--x\r\n'}`)
  const trickle = setInterval(() => socket.write(isChunked ? '1\r\nx\r\n' : 'x'), 1000)
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('data', (data) => resolve(data.toString().split('\r\n')[0] ?? ''))
  socket.on('close', () => (clearInterval(trickle), resolve('closed')))
  socket.on('error', () => resolve('closed'))
  return promise
}

test('slow forms delay no other account’s, are refused as too slow, and free their places', async () => {
  const parley = await boot({ TRUSTED_PROXIES: '127.0.0.1' })
  const sockets: Socket[] = []
  try {
    const [alice, mallory, eve] = await passersBy(parley, 'alice', 'mallory', 'eve')
    const urlOf = async (who: typeof alice) => (await webhook(who, (await place(who)).channel_id)).url
    const [own, hers, theirs] = [await urlOf(alice), await urlOf(mallory), await urlOf(eve)]
    // More forms than the account's slots, and than the address's.
    const forms = [
      ...[1, 2, 3, 4].map((n) => slowForm(hers, `10.0.0.${n}`, sockets)),
      ...[5, 6].map(() => slowForm(theirs, '10.0.0.1', sockets, 'transfer-encoding: chunked')),
    ]
    const form = () => {
      const body = new FormData()
      body.append('files[0]', new File(['x'], 'x.txt', { type: 'text/plain' }))
      return body
    }
    const headers = { 'x-forwarded-for': '10.9.9.9' }
    const sent = await Promise.all([1, 2, 3, 4].map(() => post(alice, own, form(), { headers })))
    expect(sent.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(await Promise.race(forms)).toBe('HTTP/1.1 400 Bad Request')
  } finally {
    for (const socket of sockets) socket.destroy()
    await stop(parley)
  }
})
