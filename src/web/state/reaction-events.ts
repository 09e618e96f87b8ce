import type { Poll } from '../../features/polls/model.ts'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import type { Sticker } from '../../features/stickers/model.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import type { State } from './state.ts'
import { change, type Entry, replace } from './timeline.ts'

type Reactions = Entry['reactions']

/**
 * Marks the account's own reactions in an event, which goes to everyone and so does not contain this. A reaction that
 * was removed and added again has another id, so the old mark does not apply to it.
 * @param before the message's reactions before the event
 */
function withOwn(state: State, message_id: number, reactions: Reactions, before: Reactions = []): Reactions {
  const ownIds = state.ownReactions.get(message_id)
  return reactions.map((one) => {
    const ownId = ownIds?.get(one.emoji)
    const wasOwn = before.some(({ id, me }) => id === one.id && me === true)
    return { ...one, me: ownId === undefined ? wasOwn : ownId === one.id }
  })
}

/** The account's vote in a poll of which it has heard nothing else. */
const noVote = ({ anonymous }: Poll): Poll['mine'] => ({ voted: false, ...(anonymous ? {} : { answer_ids: [] }) })

/**
 * Reactions and poll of a message in an event, which does not say what the account did.
 * @param before the message before the event
 * @param newest the parts of which no later event is known; the others stay as they were
 */
export function ownParts(
  state: State,
  { id, ...message }: Entry,
  before: Entry | undefined,
  newest: { reactions: boolean; poll: boolean },
): Pick<Entry, 'reactions' | 'poll'> {
  const reactions = newest.reactions ? message.reactions : (before?.reactions ?? message.reactions)
  const poll = newest.poll ? message.poll : (before?.poll ?? message.poll)
  return {
    reactions: withOwn(state, id, reactions, before?.reactions),
    ...(poll ? { poll: { ...poll, mine: state.ownVotes.get(id) ?? before?.poll?.mine ?? noVote(poll) } } : {}),
  }
}

/** Keeps the custom emoji and stickers of a server's snapshot. */
export function picturesOfSnapshot({ state }: HandlerContext, emoji: CustomEmoji[], stickers: Sticker[] = []): void {
  for (const one of emoji) state.emoji.set(one.id, one)
  for (const one of stickers) state.stickers.set(one.id, one)
}

/** Handlers of reactions, votes, custom emoji and stickers. */
export function reactionHandlers({ state, touch }: HandlerContext): Handlers {
  const changePoll = (message_id: number, news: Partial<Poll>) => {
    for (const [key, timeline] of state.timelines) {
      change(timeline, (row) =>
        replace(row, message_id, (entry) => (entry.poll ? { ...entry, poll: { ...entry.poll, ...news } } : entry)),
      )
      touch(`timeline ${key}`)
    }
  }
  const keep =
    <T extends { id: number; server_id: number }>(map: Map<number, T>) =>
    (one: T) => {
      if (state.servers.has(one.server_id)) map.set(one.id, one)
      touch('shell')
    }
  const drop =
    (map: Map<number, unknown>) =>
    ({ id }: { id: number }) => {
      map.delete(id)
      touch('shell')
    }
  const [keepEmoji, keepSticker] = [keep(state.emoji), keep(state.stickers)]
  return {
    'emoji.created': keepEmoji,
    'emoji.updated': keepEmoji,
    'emoji.deleted': drop(state.emoji),
    'sticker.created': keepSticker,
    'sticker.updated': keepSticker,
    'sticker.deleted': drop(state.stickers),
    'message.reactions': ({ id, channel_id, reactions }) => {
      const timeline = state.timelines.get(`c${channel_id}`)
      if (!timeline) return
      change(timeline, (row) =>
        replace(row, id, (entry) => ({ ...entry, reactions: withOwn(state, id, reactions, entry.reactions) })),
      )
      touch(`timeline c${channel_id}`)
    },
    'message.poll': ({ id, voter_count, counts, ended_at }) => changePoll(id, { voter_count, counts, ended_at }),
    'poll.mine': ({ message_id, ...mine }) => {
      state.noteOwnVote(message_id, mine)
      changePoll(message_id, { mine })
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
