/** Below the ports that Linux gives to connections and to listeners of port 0, so that nothing takes one by itself. */
const [FIRST, LAST] = [15_000, 32_000]

/**
 * A free port, for a server whose address has to be known before it listens, or that comes back to its address. A port
 * that the system has chosen may be given to another program meanwhile.
 */
export function namedPort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // Another program has it.
    }
  }
}
