import { CALL_ACTS, partsOfChord } from '../../voice/call-keys.ts'
import { talkSettings } from '../../voice/talk-settings.ts'
import { callWords } from '../../words/call.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { messageKeys } from '../messages/message-actions.ts'
import { isMac, type Shortcut } from './keys.ts'

const NAMES: Record<string, string> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** Spoken names of keys that are shown as symbols. */
const spokenNames: Record<string, string | undefined> = dialogWords.keys
const spokenKey = (key: string): string => spokenNames[key] ?? key

interface ShortcutGroup {
  title: string
  list: Shortcut[]
}

/** Shortcuts of calls, as the account has set them. */
function callShortcuts(): Shortcut[] {
  const { mode, key, keys } = talkSettings.value
  const talk: Shortcut = { keys: [partsOfChord(key).join()], label: dialogWords.shortcuts.talk }
  const ofCalls = CALL_ACTS.filter((act) => keys[act] !== '').map((act): Shortcut => {
    const parts = partsOfChord(keys[act])
    const modifiers = (['Ctrl', 'Alt', 'Shift'] as const).filter((name) => parts.includes(name))
    return { keys: [...modifiers, parts.at(-1) ?? ''], label: callWords[act] }
  })
  return mode === 'push' ? [talk, ...ofCalls] : ofCalls
}

/** Every shortcut of the client, by where it works. */
const groupsOf = (anywhere: Shortcut[]): ShortcutGroup[] => [
  {
    title: dialogWords.shortcuts.anywhere,
    list: [
      ...anywhere,
      { keys: ['Mod', 'f'], label: words.search.open },
      { keys: ['Escape'], label: dialogWords.shortcuts.markRead },
      { keys: ['Shift', 'Escape'], label: dialogWords.notifications.readAll },
      { keys: ['Ctrl', 'Enter'], label: dialogWords.shortcuts.accept },
    ],
  },
  {
    title: dialogWords.shortcuts.writing,
    list: [
      { keys: ['Enter'], label: words.composer.send },
      { keys: ['Shift', 'Enter'], label: dialogWords.shortcuts.newLine },
      { keys: ['ArrowUp'], label: dialogWords.shortcuts.editLast },
      { keys: ['Escape'], label: dialogWords.shortcuts.cancel },
      { keys: ['Tab'], label: dialogWords.shortcuts.complete },
    ],
  },
  {
    title: dialogWords.shortcuts.onMessage,
    list: [
      { keys: ['ArrowUp'], label: dialogWords.shortcuts.messageAbove },
      { keys: ['ArrowDown'], label: dialogWords.shortcuts.messageBelow },
      ...messageKeys().map(({ key, label }): Shortcut => ({ keys: [key], label })),
    ],
  },
  {
    title: dialogWords.shortcuts.inViewer,
    list: [
      { keys: ['ArrowLeft'], label: dialogWords.viewer.previous },
      { keys: ['ArrowRight'], label: dialogWords.viewer.next },
      { keys: ['+'], label: dialogWords.viewer.larger },
      { keys: ['-'], label: dialogWords.viewer.smaller },
      { keys: ['0'], label: dialogWords.viewer.whole },
      { keys: ['Home'], label: dialogWords.viewer.first },
      { keys: ['End'], label: dialogWords.viewer.last },
    ],
  },
  { title: dialogWords.shortcuts.inCall, list: callShortcuts() },
  {
    title: dialogWords.shortcuts.inChannels,
    list: [
      { keys: ['Alt', 'ArrowUp'], label: dialogWords.shortcuts.moveUp },
      { keys: ['Alt', 'ArrowDown'], label: dialogWords.shortcuts.moveDown },
    ],
  },
]

/** A dialog with every shortcut. @param anywhere shortcuts that work on every page */
export const ShortcutHelp = ({ anywhere }: { anywhere: Shortcut[] }) => (
  <Dialog title={words.shortcuts.title} onClose={closeDialog} class="shortcuts">
    <div class="scroll columns-of-keys" tabIndex={0}>
      {groupsOf(anywhere)
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {list.map((shortcut) => (
                <Row key={shortcut.label} {...shortcut} />
              ))}
            </dl>
          </section>
        ))}
    </div>
  </Dialog>
)

const Row = ({ keys, label }: Shortcut) => (
  <div class="row">
    <dt>{label}</dt>
    <dd>
      <span class="hidden">{keys.map(spokenKey).join(' ')}</span>
      {keys.map((key) => (
        <kbd key={key} aria-hidden="true">
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </dd>
  </div>
)
