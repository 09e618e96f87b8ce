import { expectChannel } from '../../state/expected.ts'
import { channelPath, go, placePath } from '../../state/route.ts'
import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { tellRefusal } from '../kit/dialogs.tsx'
import { type MenuItem } from '../kit/menu.tsx'
import { showMenu } from '../kit/open-menu.tsx'
import { openPins } from '../messages/open-pins.tsx'
import { showDates, showNotifications } from '../notifications/buttons.tsx'
import { postEntries } from '../forums/post-menu.tsx'
import { showThreadSettings } from '../threads/show-threads.tsx'

type Change = { archived: boolean } | { locked: boolean }

/** Changes a thread; says why if it stays as it was. */
const change = ({ id: channel_id }: ServerChannel, body: Change) =>
  tellRefusal(
    expectChannel(channel_id, shownOf(body), () =>
      call('PUT /api/channels/:channel_id', { channel_id }, body).then((thread) => loader.replaceThread(thread)),
    ),
  )

/** Fields of the thread after a change. */
const shownOf = (body: Change) =>
  'locked' in body ? body : { archived_at: body.archived ? new Date().toISOString() : null }

const askDelete = (thread: ServerChannel) =>
  askToConfirm({
    title: actionWords.threads.delete,
    text: actionWords.threads.deleteText,
    action: actionWords.threads.delete,
    work: async () => {
      await call('DELETE /api/channels/:channel_id', { channel_id: thread.id })
      go(channelPath(thread.server_id, thread.parent_id ?? undefined))
    },
  })

/** True if the account may rename and archive the thread. */
const mayChange = (thread: ServerChannel): boolean =>
  state.mayIn(thread, 'manage_threads') ||
  (thread.owner_id === state.me() && !thread.locked && state.mayIn(thread, 'send_in_threads'))

/** Menu entries for everyone: the actions that are buttons in a channel's header. */
const looking = ({ id: channel_id, server_id }: ServerChannel): MenuItem[] => [
  { name: 'pins', icon: 'pin', label: words.pins.title, run: () => openPins(channel_id) },
  {
    name: 'notifications',
    icon: 'bell',
    label: words.notifications.title,
    run: () => showNotifications({ server_id, channel_id }),
  },
  { name: 'date', icon: 'calendar', label: words.date.jump, run: () => showDates({ channel_id }) },
  {
    name: 'link',
    icon: 'link',
    label: actionWords.threads.link,
    run: () => copyText(location.origin + placePath(channel_id), actionWords.message.linked),
  },
]

/** Opens the menu of a thread. */
export function showThreadMenu(thread: ServerChannel, opener: HTMLElement): void {
  const { archived_at, locked } = thread
  const says = actionWords.threads
  const isArchived = archived_at !== null
  const manages = state.mayIn(thread, 'manage_threads')
  const settings: MenuItem = {
    name: 'settings',
    icon: manages ? 'gear' : 'edit',
    label: manages ? says.settings : says.rename,
    run: () => showThreadSettings(thread),
  }
  const archive: MenuItem = {
    name: 'archive',
    icon: 'archive',
    label: isArchived ? says.bringBack : says.archive,
    run: () => change(thread, { archived: !isArchived }),
  }
  const lock: MenuItem = {
    name: 'lock',
    icon: 'lock',
    label: locked ? says.unlock : says.lock,
    run: () => change(thread, { locked: !locked }),
  }
  const remove: MenuItem = {
    name: 'delete',
    icon: 'trash',
    label: says.delete,
    isDangerous: true,
    run: () => askDelete(thread),
  }
  const changing = mayChange(thread) ? [settings, archive, ...(manages ? [lock] : []), remove] : []
  const ofPost = thread.tag_ids ? postEntries(thread, mayChange(thread)) : []
  showMenu({ label: says.actions, opener, items: [...looking(thread), ...ofPost, ...changing] })
}
