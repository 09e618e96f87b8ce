import type { Events } from '../../core/events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'

/** Handlers of saved and scheduled messages: the state keeps what has to be dealt with, the inbox fetches the lists. */
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
  'scheduled.updated': (d) => {
    if (d.state === 'waiting') state.unsent.delete(d.id)
    else state.unsent.add(d.id)
    touch('shell')
  },
  'scheduled.removed': ({ id }) => {
    state.unsent.delete(id)
    touch('shell')
  },
})

/** Replaces them by those of `ready`, which servers of earlier versions do not send. */
export function remindersOfReady({ state }: HandlerContext, { reminders, unsent }: Partial<Events['ready']>): void {
  state.unsent.clear()
  for (const id of unsent ?? []) state.unsent.add(id)
  state.reminders.clear()
  for (const { message_id, ...place } of reminders ?? []) state.reminders.set(message_id, place)
}
