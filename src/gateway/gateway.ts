import type { Parts } from '../parts.ts'
import type { Voice } from '../voice/voice.ts'
import { AccessNotices } from './access-notices.ts'
import { FrameBatcher } from './frame-batcher.ts'
import { Heartbeat } from './heartbeat.ts'
import { close } from './model.ts'
import { drained } from './paced-sending.ts'
import { Presence } from './presence.ts'
import { closeWith, type Socket } from './socket.ts'
import { SocketRegistry } from './socket-registry.ts'
import { Subscriptions } from './subscriptions.ts'

/** Connects the parts of the gateway with each other, the bus and voice. */
export function openGateway(parts: Parts, voice: Voice) {
  const { sql, write, bus, nodes, metrics, log } = parts
  const registry = new SocketRegistry(metrics)
  const presence = new Presence(sql, bus, nodes, log)
  const batcher = new FrameBatcher(registry.publish, write.underway)
  const subscriptions = new Subscriptions(parts, { statusOf: presence.statusOf, voiceStates: voice.statesIn })
  const notices = new AccessNotices(parts, registry, subscriptions)
  const heartbeat = new Heartbeat(registry, bus)

  voice.attach({
    send(client, text) {
      batcher.flush()
      registry.socketOf(client)?.send(text)
    },
    ping: (client) => void registry.socketOf(client)?.ping(),
    isOpen: (client) => registry.socketOf(client) !== undefined,
  })
  bus.onFrame((frame) => {
    metrics.events.observe({ event: frame.type }, frame.text.length)
    batcher.add(frame)
  })
  bus.onNotice(async (notice) => {
    batcher.flush()
    await notices.act(notice)
  })

  return {
    presence,
    attach: registry.attach,
    opened(socket: Socket): void {
      const { user_id } = socket.data
      if (registry.isFull(user_id)) return closeWith(socket, close.too_many)
      if (subscriptions.isFull()) return closeWith(socket, close.restart)
      registry.add(socket)
      presence.opened(user_id)
      void subscriptions.refresh(socket)
    },
    closed(socket: Socket, code: number): void {
      metrics.closed.inc({ code })
      drained(socket)
      voice.socketClosed(socket.data)
      if (registry.remove(socket)) presence.closed(socket.data.user_id)
    },
    /** Sends the frames that wait, so that an answer never overtakes what was published before it. */
    flush: batcher.flush,
    /** Closes every socket with a code that clients resume from. */
    closeAll(): void {
      batcher.flush()
      for (const socket of registry.all()) closeWith(socket, close.restart)
    },
    stop(): void {
      heartbeat.stop()
      presence.stop()
    },
  }
}

export type Gateway = ReturnType<typeof openGateway>
