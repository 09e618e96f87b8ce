import type { Parts } from '../parts.ts'
import { openTurn, type Turn } from '../turn/thread.ts'
import { Sfu } from './sfu/sfu.ts'
import { openVoice, type Voice } from './voice.ts'

/** What calls are made of. */
export interface Calls {
  voice: Voice
  media: Sfu
  turn: Turn
  /** Begins to listen for media; the server does not wait for the SFU. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Opens voice with what it stands on: the relay and the SFU. */
export function openCalls(parts: Parts): Calls {
  const turn = openTurn(parts)
  const media = new Sfu(parts.environment, parts.log)
  const voice = openVoice(parts, media, turn)
  return {
    voice,
    media,
    turn,
    async start() {
      media.start()
      await turn.started
    },
    async stop() {
      voice.stop()
      await Promise.all([turn.stop(), media.stop()])
    },
  }
}
