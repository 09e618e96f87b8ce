import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Commands that playwright sends for every context, and Firefox ESR 153 does not know. */
const UNKNOWN = new Set(['emulation.setMediaFeaturesOverride'])
/** Bytes of a message, for example of a screenshot. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024

/** The answer to a command that Firefox does not know; undefined if it takes the command itself. */
function answerTo(command: string): string | undefined {
  const { id, method } = JSON.parse(command) as { id: number; method: string }
  return UNKNOWN.has(method) ? JSON.stringify({ type: 'success', id, result: {} }) : undefined
}

async function connectTo(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Firefox does not answer'))
  })
  return socket
}

/**
 * Stands between playwright and Firefox, and answers the commands of WebDriver BiDi that Firefox does not know.
 * Otherwise playwright opens no page, because it sends them for every context. It needs no patch this way.
 * @param program path of Firefox
 * @returns path of a program that starts Firefox, and names the relay as its address
 */
export function relayed(program: string): string {
  const relay = Bun.serve<WebSocket, never>({
    hostname: '127.0.0.1',
    port: 0,
    // The path is the port of Firefox.
    async fetch(request, server) {
      const port = new URL(request.url).pathname.split('/')[1]
      const firefox = await connectTo(`ws://127.0.0.1:${port}/session`)
      return server.upgrade(request, { data: firefox }) ? undefined : new Response(null, { status: 426 })
    },
    websocket: {
      idleTimeout: 0,
      maxPayloadLength: MESSAGE_BYTES_MAX,
      open(playwright) {
        playwright.data.onmessage = ({ data }) => void playwright.send(String(data))
        playwright.data.onclose = () => playwright.close()
      },
      message(playwright, data) {
        const answer = answerTo(String(data))
        if (answer === undefined) playwright.data.send(String(data))
        else playwright.send(answer)
      },
      close: ({ data: firefox }) => firefox.close(),
    },
  })
  relay.unref()
  const starter = join(mkdtempSync(join(tmpdir(), 'relay-')), 'firefox')
  const line = `s#^(WebDriver BiDi listening on ws://127.0.0.1:)([0-9]+)#\\1${relay.port}/\\2#`
  writeFileSync(starter, `#!/bin/sh\n'${program}' "$@" 2>&1 | sed -uE '${line}' >&2\n`, { mode: 0o700 })
  return starter
}
