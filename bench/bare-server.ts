import { serveCommands } from './processes.ts'

// The reference: Bun.serve that only sends the same bytes to the same sockets.
let frame = ''
let body = ''
/** The frames that each socket gets when it opens. */
let opening: (string | Uint8Array)[] = []
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
    open: (socket) => {
      socket.subscribe('all')
      socket.cork(() => {
        for (const one of opening) socket.send(one)
      })
    },
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
  /** Sets the frames that a socket gets when it opens: text, or bytes in base64. */
  set_opening: (frames: { text?: string; bytes?: string }[]) => {
    opening = frames.map(({ text, bytes }) => text ?? Buffer.from(bytes ?? '', 'base64'))
  },
})
