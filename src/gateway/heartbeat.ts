import type { Bus } from '../events/bus.ts'
import { close, HEARTBEAT_MS } from './model.ts'
import { closeWith, ping, type Socket } from './socket.ts'
import type { SocketRegistry } from './socket-registry.ts'

const TICK_MS = 1_000
const TICKS_PER_HEARTBEAT = HEARTBEAT_MS / TICK_MS

/** Pings every socket once per heartbeat, spread over ticks, and closes silent and expired ones. */
export class Heartbeat {
  #ticks = 0
  readonly #timer = setInterval(() => this.#tick(), TICK_MS)

  constructor(
    private readonly registry: SocketRegistry,
    private readonly bus: Pick<Bus, 'retain'>,
  ) {}

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = Date.now()
    const tick = this.#ticks++ % TICKS_PER_HEARTBEAT
    if (tick === 0) this.bus.retain(this.registry.hasSubscribers)
    for (const socket of this.registry.all()) {
      if (socket.data.expiresS * 1000 <= now) closeWith(socket, close.expired)
      else if (socket.data.id % TICKS_PER_HEARTBEAT === tick) this.#beat(socket, now)
    }
  }

  #beat(socket: Socket, now: number): void {
    if (now - socket.data.heardAt > 2 * HEARTBEAT_MS + TICK_MS) socket.terminate()
    else ping(socket)
  }
}
