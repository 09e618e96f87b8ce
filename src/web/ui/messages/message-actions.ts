import { call, state } from '../../state/session.ts'
import { placePath } from '../../state/route.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { askToConfirm } from '../kit/dialogs.tsx'
import type { IconName } from '../kit/icons.tsx'
import { authorIdOf, editing, replying } from './current-message.ts'

/** Something that can be done with a message: one entry of the menu, and a button of the bar if it is `inBar`. */
export interface MessageAction {
  /** Unique in the list. */
  name: string
  icon: IconName
  label: (entry: Entry) => string
  /** The key that does it while the message has the focus. */
  key?: string
  /** Whether the bar above the message shows it too. */
  inBar?: boolean
  isDangerous?: boolean
  /** Whether the account may do this with the message now. */
  isOffered?: (entry: Entry) => boolean
  /** @param opener the button that was pressed, or the message's row: for what opens beside it */
  run: (entry: Entry, opener: HTMLElement) => unknown
}

const isOwn = (entry: Entry): boolean => authorIdOf(entry) === state.me()

/** Whether the account may delete the message. */
function mayDelete(entry: Entry): boolean {
  const channel = state.channels.get(entry.channel_id)
  return isOwn(entry) || (channel !== undefined && state.mayIn(channel, 'manage_messages'))
}

/** Deletes the message after a confirmation. */
function askDelete(entry: Entry): void {
  askToConfirm({
    title: words.messages.delete,
    text: words.messages.deleteText,
    action: words.messages.delete,
    work: () => call('DELETE /api/messages/:message_id', { message_id: entry.id }),
  })
}

/** Every action, in the order of the menu; the bar has those that are `inBar`, in the same order. */
const MESSAGE_ACTIONS: MessageAction[] = [
  {
    name: 'reply',
    icon: 'reply',
    label: () => words.messages.reply,
    key: 'r',
    inBar: true,
    run: (entry) => (replying.value = entry),
  },
  {
    name: 'edit',
    icon: 'edit',
    label: () => words.messages.edit,
    key: 'e',
    inBar: true,
    isOffered: isOwn,
    run: (entry) => (editing.value = entry.id),
  },
  {
    name: 'copy-text',
    icon: 'copy',
    label: () => words.messages.copyText,
    isOffered: (entry) => entry.content !== '',
    run: (entry) => copyText(entry.content, words.messages.textCopied),
  },
  {
    name: 'copy-link',
    icon: 'link',
    label: () => words.messages.link,
    run: ({ channel_id, id }) => copyText(location.origin + placePath(channel_id, id), words.messages.linked),
  },
  {
    name: 'mark-unread',
    icon: 'unread',
    label: () => words.unread.mark,
    key: 'u',
    run: ({ channel_id, id: message_id }) =>
      call('POST /api/channels/:channel_id/unread', { channel_id }, { message_id }).catch(() => {}),
  },
  {
    name: 'delete',
    icon: 'trash',
    label: () => words.messages.delete,
    key: 'Delete',
    isDangerous: true,
    isOffered: mayDelete,
    run: askDelete,
  },
]

/** The actions that are offered for a message now. */
export const actionsFor = (entry: Entry): MessageAction[] =>
  MESSAGE_ACTIONS.filter(({ isOffered }) => isOffered?.(entry) ?? true)
