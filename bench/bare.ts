import { obey } from './children.ts'

// The reference: Bun.serve with nothing in it but the same sockets and the same bytes.
let frame = ''
let body = ''
const server = Bun.serve<undefined>({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request, itself) {
    if (request.method === 'GET')
      return itself.upgrade(request, { data: undefined }) ? undefined : new Response('', { status: 400 })
    await request.text()
    itself.publish('all', frame)
    return new Response(body, { status: 201, headers: { 'content-type': 'application/json' } })
  },
  websocket: {
    perMessageDeflate: false,
    sendPings: false,
    idleTimeout: 0,
    open: (socket) => void socket.subscribe('all'),
    message: (socket, message) => void socket.send(message),
  },
})

obey({
  url: () => server.url.origin,
  /** What a POST publishes, and what it answers. */
  say: (told: { frame: string; body: string }) => {
    frame = told.frame
    body = told.body
  },
})
