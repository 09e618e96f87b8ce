import { hideWhileDeleted } from '../../state/deleting.ts'
import { call, state } from '../../state/session.ts'
import { reasonOf } from '../../state/reason.ts'
import { compositionOf } from '../../state/mentions.ts'
import { knownNameOf, tokenNameOf } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import type { Entry } from '../../state/timeline.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { showLater, showNote, tellNotLoaded, tellRefusal } from '../kit/dialogs.tsx'
import type { IconName } from '../kit/icons.tsx'
import { hasCommands, openCommands } from '../commands/open-commands.ts'
import { showReport } from '../people/show-report.tsx'
import { mayBegin, openThread } from '../threads/show-threads.tsx'
import { answer, authorIdOf, editing } from './current-message.ts'
import { mayPin } from './open-pins.tsx'
import { chooseReaction, mayReact } from './reactions.tsx'
import { select } from './selection.tsx'

/** An action on a message: an entry of the menu, and with `inBar` also a button of the bar. */
export interface MessageAction {
  /** Unique in the list. */
  name: string
  icon: IconName
  label: (entry: Entry) => string
  /** The key that does it while the message has the focus. */
  key?: string
  /** True if the bar above the message shows the action too. */
  inBar?: boolean
  isDangerous?: boolean
  /** True if the account may take the action on the message now. */
  isOffered?: (entry: Entry) => boolean
  /** @param opener the pressed button or the message's row: anchor of a menu or picker that opens */
  run: (entry: Entry, opener: HTMLElement) => unknown
}

const isOwn = (entry: Entry): boolean => authorIdOf(entry) === state.me()

/** Text of a message, or of the message that it forwards. */
const textOf = ({ content, forwarded }: Entry): string => content || (forwarded?.content ?? '')

/** True if the account may write in the channel, and reply to its messages. */
function mayReply({ channel_id }: Entry): boolean {
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !state.mayIn(channel, 'read_history')) return false
  return state.mayIn(channel, channel.type === 'thread' ? 'send_in_threads' : 'send_messages')
}

/** True if the account manages the messages of the channel. */
function moderates({ channel_id }: Entry): boolean {
  const channel = state.channels.get(channel_id)
  return channel !== undefined && state.mayIn(channel, 'manage_messages')
}

/** True if the account may delete the message and remove its previews. */
const mayDelete = (entry: Entry): boolean => isOwn(entry) || moderates(entry)

/** True if the account may say that the message answers the post. */
function mayAnswer({ id, kind, channel_id }: Entry): boolean {
  const post = state.channels.get(channel_id)
  if (!post?.tag_ids || kind !== 'default' || id === post.first_message_id) return false
  return state.mayIn(post, 'manage_threads') || (post.owner_id === state.me() && !post.locked)
}

/** Deletes the message after a confirmation. */
function askDelete(entry: Entry): void {
  askToConfirm({
    title: actionWords.message.delete,
    text: actionWords.message.deleteText,
    action: actionWords.message.delete,
    work: async () =>
      tellRefusal(
        hideWhileDeleted(entry.channel_id, new Set([entry.id]), () =>
          call('DELETE /api/messages/:message_id', { message_id: entry.id }),
        ),
      ),
  })
}

/** Removes the message's previews, for everyone, after a confirmation. */
function askHidePreviews({ id: message_id }: Entry): void {
  askToConfirm({
    title: actionWords.message.hidePreviews,
    text: actionWords.message.hidePreviewsText,
    action: actionWords.message.hidePreviews,
    work: () => call('PUT /api/messages/:message_id/embeds/suppressed', { message_id }, { suppressed: true }),
  })
}

/** Shows the previews again that were removed. */
const showPreviews = ({ id: message_id }: Entry): Promise<unknown> =>
  call('PUT /api/messages/:message_id/embeds/suppressed', { message_id }, { suppressed: false }).catch(
    (error: unknown) => showNote(reasonOf(error)),
  )

/** Every action, in the order of the menu; the bar has those that are `inBar`, in the same order. */
const MESSAGE_ACTIONS: MessageAction[] = [
  {
    name: 'reply',
    icon: 'reply',
    label: () => actionWords.message.reply,
    key: 'r',
    inBar: true,
    isOffered: mayReply,
    run: (entry) => answer(entry, { id: entry.id, author_id: authorIdOf(entry) }),
  },
  {
    name: 'react',
    icon: 'react',
    label: () => words.reactions.add,
    key: '+',
    inBar: true,
    isOffered: mayReact,
    run: chooseReaction,
  },
  {
    name: 'thread',
    icon: 'thread',
    label: ({ thread }) => (thread ? words.threads.open : actionWords.threads.begin),
    key: 't',
    inBar: true,
    isOffered: ({ thread, channel_id }) => thread !== null || mayBegin(channel_id),
    run: (entry) => openThread(entry),
  },
  {
    name: 'edit',
    icon: 'edit',
    label: () => actionWords.message.edit,
    key: 'e',
    inBar: true,
    isOffered: isOwn,
    run: (entry) => (editing.value = entry.id),
  },
  {
    name: 'answer',
    icon: 'check',
    label: ({ id, channel_id }) =>
      state.channels.get(channel_id)?.answer_message_id === id
        ? actionWords.threads.noAnswer
        : actionWords.threads.answer,
    isOffered: mayAnswer,
    run: (entry) =>
      import('../threads/choose-answer.ts').then(({ toggleAnswer }) => toggleAnswer(entry), tellNotLoaded),
  },
  {
    name: 'pin',
    icon: 'pin',
    label: ({ pinned_at }) => (pinned_at === null ? actionWords.pins.pin : actionWords.pins.unpin),
    key: 'p',
    isOffered: mayPin,
    run: (entry) => import('./pin.ts').then(({ togglePin }) => togglePin(entry), tellNotLoaded),
  },
  {
    name: 'forward',
    icon: 'forward',
    label: () => actionWords.message.forward,
    key: 'f',
    run: (entry) => showLater(async () => (await import('./forward.tsx')).forwardOf(entry)),
  },
  {
    name: 'save',
    icon: 'bookmark',
    label: () => actionWords.message.save,
    key: 's',
    run: ({ id }) => showLater(async () => (await import('./save-message.tsx')).saveMessage(id)),
  },
  {
    name: 'commands',
    icon: 'next',
    label: () => actionWords.message.commands,
    isOffered: ({ channel_id }) => hasCommands(state.channels.get(channel_id)),
    run: ({ channel_id, id }) => {
      const channel = state.channels.get(channel_id)
      if (channel) void openCommands(channel, { kind: 'message', target_id: id })
    },
  },
  {
    name: 'copy-text',
    icon: 'copy',
    label: () => actionWords.message.copyText,
    isOffered: (entry) => textOf(entry) !== '',
    run: (entry) =>
      copyText(compositionOf(textOf(entry), knownNameOf, tokenNameOf).text, actionWords.message.textCopied),
  },
  {
    name: 'copy-link',
    icon: 'link',
    label: () => actionWords.message.link,
    run: ({ channel_id, id }) => copyText(location.origin + placePath(channel_id, id), actionWords.message.linked),
  },
  {
    name: 'mark-unread',
    icon: 'unread',
    label: () => actionWords.message.markUnread,
    key: 'u',
    run: ({ channel_id, id: message_id }) =>
      call('POST /api/channels/:channel_id/unread', { channel_id }, { message_id }).catch(() => {}),
  },
  {
    name: 'hide-previews',
    icon: 'close',
    label: () => actionWords.message.hidePreviews,
    isOffered: (entry) => entry.embeds.length > 0 && mayDelete(entry),
    run: askHidePreviews,
  },
  {
    name: 'show-previews',
    icon: 'expand',
    label: () => actionWords.message.showPreviews,
    isOffered: (entry) => entry.embeds_suppressed === true && mayDelete(entry),
    run: showPreviews,
  },
  {
    name: 'select',
    icon: 'select',
    label: () => actionWords.message.select,
    isOffered: moderates,
    run: select,
  },
  {
    name: 'report',
    icon: 'flag',
    label: () => actionWords.message.report,
    isOffered: (entry) => entry.kind === 'default' && !isOwn(entry),
    run: (entry) => {
      const server_id = state.channels.get(entry.channel_id)?.server_id ?? null
      return showReport({ message_id: entry.id, author_id: authorIdOf(entry), server_id })
    },
  },
  {
    name: 'delete',
    icon: 'trash',
    label: () => actionWords.message.delete,
    key: 'Delete',
    isDangerous: true,
    isOffered: mayDelete,
    run: askDelete,
  },
]

/** The keys that do something with the focused message. */
export function messageKeys(): { key: string; label: string }[] {
  const labels: Record<string, string | undefined> = actionWords.message.keys
  return MESSAGE_ACTIONS.flatMap(({ key, name }) => (key ? [{ key, label: labels[name] ?? name }] : []))
}

/** The actions that are offered for a message now. */
export const actionsFor = (entry: Entry): MessageAction[] =>
  MESSAGE_ACTIONS.filter(({ isOffered }) => isOffered?.(entry) ?? true)
