/** Ports that this process has given away: a server of a test may begin to listen later. */
const usedPorts = new Set<number>()

/**
 * A free port below those that outgoing connections and others without a choice take, so that it is free still when a
 * server starts on it, also again. Source: ip(7), ip_local_port_range.
 */
export function freePort(): number {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (usedPorts.has(port)) continue
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      usedPorts.add(port)
      return port
    } catch {
      // Somebody has it.
    }
  }
}
