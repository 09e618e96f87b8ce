import type { CustomEmoji } from '../../features/emoji/model.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import type { State } from './state.ts'
import { change, type Entry, replace } from './timeline.ts'

type Reactions = Entry['reactions']

/**
 * Marks the account's own reactions in an event, which goes to everyone and so does not contain this. A reaction that
 * was removed and added again has another id, so the old mark does not apply to it.
 * @param before the message's reactions before the event
 */
export function withOwn(state: State, message_id: number, reactions: Reactions, before: Reactions = []): Reactions {
  const ownIds = state.ownReactions.get(message_id)
  return reactions.map((one) => {
    const ownId = ownIds?.get(one.emoji)
    const wasOwn = before.some(({ id, me }) => id === one.id && me === true)
    return { ...one, me: ownId === undefined ? wasOwn : ownId === one.id }
  })
}

/** Handlers of reactions and custom emoji. */
export function reactionHandlers({ state, touch }: HandlerContext): Handlers {
  const keep = (emoji: CustomEmoji) => {
    if (state.servers.has(emoji.server_id)) state.emoji.set(emoji.id, emoji)
    touch('shell')
  }
  return {
    'emoji.created': keep,
    'emoji.updated': keep,
    'emoji.deleted': ({ id }) => {
      state.emoji.delete(id)
      touch('shell')
    },
    'message.reactions': ({ id, channel_id, reactions }) => {
      const timeline = state.timelines.get(`c${channel_id}`)
      if (!timeline) return
      change(timeline, (row) =>
        replace(row, id, (entry) => ({ ...entry, reactions: withOwn(state, id, reactions, entry.reactions) })),
      )
      touch(`timeline c${channel_id}`)
    },
    'reaction.mine': ({ message_id, emoji, reaction_id }) => {
      state.noteOwnReaction(message_id, emoji, reaction_id)
      for (const [key, timeline] of state.timelines) {
        change(timeline, (row) =>
          replace(row, message_id, (entry) => ({
            ...entry,
            reactions: withOwn(state, message_id, entry.reactions, entry.reactions),
          })),
        )
        touch(`timeline ${key}`)
      }
    },
  }
}
