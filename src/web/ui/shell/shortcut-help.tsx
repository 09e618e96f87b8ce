import { words } from '../../words/words.ts'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
import { isMac, type Shortcut, type ShortcutGroup } from './keys.ts'

const NAMES: Record<string, string> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** What a screen reader says of a key that is shown as a sign. */
const spoken = (key: string): string => words.keys[key] ?? key

/** A dialog with every shortcut. */
export const ShortcutHelp = ({ groups }: { groups: ShortcutGroup[] }) => (
  <Dialog title={words.shortcuts.title} onClose={closeDialog} class="shortcuts">
    <div class="scroll columns-of-keys" tabIndex={0}>
      {groups.map(({ title, list }) => (
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
    <dd aria-label={keys.map(spoken).join(' ')}>
      {keys.map((key) => (
        <kbd key={key} aria-hidden="true">
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </dd>
  </div>
)
