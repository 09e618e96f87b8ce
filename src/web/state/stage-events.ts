import type { Stage } from '../../features/access/model.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'

/** Handlers of stages: what they are about, and how many people listen. */
export function stageHandlers({ state, touch }: HandlerContext): Handlers {
  const put = (id: number, stage: Stage | null) => {
    const channel = state.channels.get(id)
    if (channel) state.channels.set(id, { ...channel, stage })
    touch('shell')
  }
  const begin = ({ channel_id, id, topic, started_by, started_at }: Stage & { channel_id: number }) =>
    put(channel_id, { id, topic, started_by, started_at })
  return {
    'stage.started': begin,
    'stage.updated': begin,
    'stage.ended': ({ channel_id }) => put(channel_id, null),
    'stage.audience': ({ channel_id, listeners }) => {
      state.audiences.set(channel_id, listeners)
      touch('voices')
    },
  }
}
