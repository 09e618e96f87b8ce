import { talkSettings } from '../../voice/talk-settings.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
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

/** What a screen reader says of a key that is shown as a sign. */
const spoken = (key: string): string => dialogWords.keys[key] ?? key

interface ShortcutGroup {
  title: string
  list: Shortcut[]
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
      { keys: ['ArrowLeft'], label: words.viewer.previous },
      { keys: ['ArrowRight'], label: words.viewer.next },
      { keys: ['+'], label: words.viewer.larger },
      { keys: ['-'], label: words.viewer.smaller },
      { keys: ['0'], label: words.viewer.whole },
      { keys: ['Home'], label: dialogWords.viewer.first },
      { keys: ['End'], label: dialogWords.viewer.last },
    ],
  },
  ...(talkSettings.value.mode === 'push'
    ? [
        {
          title: dialogWords.shortcuts.inCall,
          list: [{ keys: [talkSettings.value.key.replace(/^(Key|Digit)/, '')], label: dialogWords.shortcuts.talk }],
        } satisfies ShortcutGroup,
      ]
    : []),
  {
    title: dialogWords.shortcuts.inChannels,
    list: [
      { keys: ['Alt', 'ArrowUp'], label: dialogWords.shortcuts.moveUp },
      { keys: ['Alt', 'ArrowDown'], label: dialogWords.shortcuts.moveDown },
    ],
  },
]

/** A dialog with every shortcut. @param anywhere those that work anywhere */
export const ShortcutHelp = ({ anywhere }: { anywhere: Shortcut[] }) => (
  <Dialog title={words.shortcuts.title} onClose={closeDialog} class="shortcuts">
    <div class="scroll columns-of-keys" tabIndex={0}>
      {groupsOf(anywhere).map(({ title, list }) => (
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
      <span class="hidden">{keys.map(spoken).join(' ')}</span>
      {keys.map((key) => (
        <kbd key={key} aria-hidden="true">
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </dd>
  </div>
)
