import type { Events } from '../../core/events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'

/** Handlers of saved messages: the state keeps only their due reminders, the inbox fetches the list. */
export const savedHandlers = ({ state, touch }: HandlerContext): Handlers => ({
  'saved.updated': ({ message_id, channel_id, server_id, due }) => {
    if (due) state.reminders.set(message_id, { channel_id, server_id })
    else state.reminders.delete(message_id)
    touch('shell')
  },
  'saved.removed': ({ message_id }) => {
    state.reminders.delete(message_id)
    touch('shell')
  },
})

/** Replaces the due reminders by those of `ready`, which servers of earlier versions do not send. */
export function remindersOfReady({ state }: HandlerContext, { reminders }: Partial<Events['ready']>): void {
  state.reminders.clear()
  for (const { message_id, ...place } of reminders ?? []) state.reminders.set(message_id, place)
}
