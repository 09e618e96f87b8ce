import { serveCommands } from './processes.ts'

/** Pause between two requests. */
const PAUSE_MS = 2

let [longest_ms, over] = [0, false]
let asking: Promise<void> | undefined

/** Sends one request after another, and records the longest wait. */
async function ask(url: string): Promise<void> {
  while (!over) {
    const began = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    longest_ms = Math.max(longest_ms, performance.now() - began)
    await Bun.sleep(PAUSE_MS)
  }
}

// A program that repeats a request that needs only the server's event loop.
serveCommands({
  begin: async ({ url }: { url: string }) => {
    // The first request opens the connection.
    await (await fetch(`${url}/healthz`)).text()
    asking = ask(url)
  },
  end: async () => {
    over = true
    await asking
    return { longest_ms }
  },
})
