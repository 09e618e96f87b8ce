import { errorFields } from '../../core/log.ts'
import { endEmptyStage } from '../../features/stages/change.ts'
import type { Parts } from '../../parts.ts'

/** Time that a stage without a call goes on, ms: its members may only have lost their connections. */
const EMPTY_MS = 60_000

/**
 * Ends stages that nobody has ended, some time after the last member has left their call. A stage whose process stops
 * meanwhile goes on until a moderator ends it, or until its next call is over.
 */
export class EmptyStages {
  readonly #timers = new Map<number, Timer>()

  /** @param isEmpty true if nobody on any node is in the call of a channel */
  constructor(
    private readonly parts: Pick<Parts, 'write' | 'log'>,
    private readonly isEmpty: (channelId: number) => boolean,
    private readonly delayMs = EMPTY_MS,
  ) {}

  /** Call when the call of a stage has ended on this node. */
  callEnded(channelId: number): void {
    clearTimeout(this.#timers.get(channelId))
    const endedAt = performance.now()
    const timer = setTimeout(() => {
      this.#timers.delete(channelId)
      if (this.isEmpty(channelId)) void this.#end(channelId, endedAt)
    }, this.delayMs)
    this.#timers.set(channelId, timer.unref())
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  async #end(channelId: number, endedAt: number): Promise<void> {
    try {
      await this.parts.write((sql, emit) => endEmptyStage(sql, emit, channelId, performance.now() - endedAt))
    } catch (error) {
      this.parts.log('warn', 'voice.empty_stage', errorFields(error))
    }
  }
}
