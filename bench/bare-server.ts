import { serveCommands } from './processes.ts'

// The reference: Bun.serve that only sends the same bytes to the same sockets.
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

serveCommands({
  url: () => server.url.origin,
  /** Sets the frame that a POST publishes and the body that answers it. */
  set_reply: (reply: { frame: string; body: string }) => {
    frame = reply.frame
    body = reply.body
  },
})
