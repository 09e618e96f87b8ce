import type { Entry } from '../../state/timeline.ts'
import { actionWords } from '../../words/actions.ts'
import { IconButton } from '../kit/controls.tsx'
import { openMenu, type Point } from '../kit/menu.tsx'
import { showMenu } from '../kit/open-menu.tsx'
import { onPhone } from '../kit/pane.tsx'
import { actionsFor } from './message-actions.ts'
import { isComposingKey, keyOf } from '../../state/keyboard.ts'
import { isFinger } from './current-message.ts'
import { quickFor, QuickReactions } from './reactions.tsx'

/**
 * Opens the menu of a message.
 * @param opener anchor of the menu, focused again on close
 * @param at position of the menu, instead of the anchor's
 */
export function showActions(entry: Entry, opener: HTMLElement, at?: Point): void {
  const items = actionsFor(entry).map(({ name, icon, label, key, isDangerous, run }) => ({
    name,
    icon,
    label: label(entry),
    ...(key ? { key } : {}),
    ...(isDangerous ? { isDangerous } : {}),
    run: () => run(entry, opener),
  }))
  showMenu({
    label: actionWords.message.actions,
    opener,
    items,
    quick: isFinger.value || onPhone.value ? quickFor(entry) : [],
    ...(at ? { at } : {}),
  })
}

/** The buttons above a message: the most used actions, and the menu with all of them. */
export const ActionBar = ({ entry }: { entry: Entry }) => (
  <div class="actions" role="group" aria-label={actionWords.message.actions}>
    <QuickReactions entry={entry} />
    {actionsFor(entry)
      .filter(({ inBar }) => inBar)
      .map(({ name, icon, label, run }) => (
        <IconButton
          key={name}
          icon={icon}
          size={18}
          label={label(entry)}
          onClick={({ currentTarget }) => run(entry, currentTarget)}
        />
      ))}
    <IconButton
      icon="more"
      size={18}
      label={actionWords.message.more}
      menu={openMenu.value !== undefined}
      onClick={({ currentTarget }) => showActions(entry, currentTarget)}
    />
  </div>
)

/** Does the action of a key, if the message has one. */
export function actOn(event: KeyboardEvent, entry: Entry, row: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isComposingKey(event)) return
  const pressed = keyOf(event)
  // With Shift a letter is another key; a sign may need it.
  if (event.shiftKey && /^[a-z]$/.test(pressed)) return
  const action = actionsFor(entry).find(({ key }) => key === pressed)
  if (!action) return
  event.preventDefault()
  void action.run(entry, row)
}
