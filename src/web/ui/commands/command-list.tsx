import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { folded } from '../../../core/words.ts'
import type { OfferedCommand } from '../../../features/interactions/model.ts'
import { state } from '../../state/session.ts'
import { TEXT_COMMANDS, type TextCommand } from '../../state/text-commands.ts'
import { commandWords } from '../../words/commands.ts'
import { showDialog } from '../kit/dialogs.tsx'
import { Refusal } from '../kit/forms.tsx'
import { CommandForm } from './command-form.tsx'
import { CommandRow, TextCommandRow } from './command-row.tsx'
import { commandsIn } from './known-commands.ts'
import { type Offer, offersOf, useCommands } from './use-command.ts'
import { isComposingKey, isEnter, stepOf } from '../../state/keyboard.ts'

const textCommands = Object.keys(TEXT_COMMANDS) as TextCommand[]

interface CommandListProps {
  channel: Channel
  /** The field of the composer, in which a slash stands first. */
  box: RefObject<HTMLTextAreaElement | null>
  /** Called when a command was chosen and used. */
  onUsed: () => void
}

/** Writes the name of a text command; its text follows. */
function complete(field: HTMLTextAreaElement | null, name: TextCommand): void {
  if (!field) return
  field.value = `/${name} `
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Tells screen readers which option of the list the field chooses. */
function useControls(
  box: RefObject<HTMLTextAreaElement | null>,
  id: string,
  active: number | undefined,
  count: number,
): void {
  useLayoutEffect(() => {
    const field = box.current
    const is = { 'aria-controls': id, 'aria-activedescendant': active === undefined ? '' : `${id}-${active}` }
    for (const [name, value] of Object.entries(is)) if (count > 0 && value !== '') field?.setAttribute(name, value)
    if (active !== undefined) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
    return () => Object.keys(is).forEach((name) => field?.removeAttribute(name))
  }, [active, count])
}

/** Commands that match the text after a slash. The list is above the composer, which keeps the focus. */
export const CommandList = ({ channel, box, onUsed }: CommandListProps) => {
  const id = useId()
  const [commands, setCommands] = useState<OfferedCommand[]>([])
  const [text, setText] = useState(box.current?.value ?? '')
  const [isOpen, setOpen] = useState(document.activeElement === box.current)
  const [chosenAt, setChosenAt] = useState<number>()
  const { use, busy, error } = useCommands(channel, null, onUsed)
  useLayoutEffect(() => {
    if (channel.server_id !== null && !state.mayIn(channel, 'use_commands')) return
    void commandsIn(channel.id).then((all) => setCommands(all.filter(({ kind }) => kind === 'chat')))
  }, [channel.id])
  const query = text.slice(1).toLowerCase()
  const offers = isOpen ? offersOf(commands).filter(({ name }) => folded(name).startsWith(folded(query))) : []
  const texts = isOpen ? textCommands.filter((name) => name.startsWith(query)) : []
  const count = offers.length + texts.length
  // Only a slash chooses nothing: Enter sends it.
  const active = chosenAt === undefined ? (query === '' || count === 0 ? undefined : 0) : chosenAt % count
  const isUsed = useRef(false)
  isUsed.current &&= busy
  const choose = (offer: Offer) => {
    // The second of two Enters may arrive before the next render.
    if (isUsed.current) return
    const { options } = offer.subcommand ?? offer.command
    if (options.length === 0) {
      isUsed.current = true
      return void use(offer)
    }
    showDialog(() => <CommandForm channel={channel} offer={offer} onUsed={onUsed} />)
  }
  /** True if the list handled the key. */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (count === 0 || isComposingKey(event)) return false
    const offer = active === undefined ? undefined : offers[active]
    const textCommand = active === undefined ? undefined : texts[active - offers.length]
    const step = stepOf(event)
    if (step !== undefined) setChosenAt(((active ?? (step > 0 ? -1 : 0)) + step + count) % count)
    else if (event.key === 'Escape') setOpen(false)
    else if (offer && (event.key === 'Tab' || isEnter(event))) choose(offer)
    // Enter sends a complete command.
    else if (textCommand && (event.key === 'Tab' || (isEnter(event) && query !== textCommand)))
      complete(box.current, textCommand)
    else return false
    return true
  }
  useLayoutEffect(() => {
    const field = box.current
    const events = new AbortController()
    const on = (type: string, listener: (event: Event) => void, capture = false) =>
      field?.addEventListener(type, listener, { signal: events.signal, capture })
    on('input', () => {
      setText(field?.value ?? '')
      setChosenAt(undefined)
    })
    on('click', () => setOpen(true))
    on('blur', () => setOpen(false))
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || !takeKey(event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    on('keydown', onKeyDown, true)
    const onSubmit = (event: Event) => {
      const offer = offersOf(commands).find(({ name }) => name === query.trim())
      if (!offer) return
      event.preventDefault()
      event.stopImmediatePropagation()
      choose(offer)
    }
    field?.form?.addEventListener('submit', onSubmit, { signal: events.signal, capture: true })
    return () => events.abort()
  })
  useControls(box, id, active, count)
  return (
    <>
      {count > 0 ? (
        <ul class="suggestions commands" id={id} role="listbox" aria-label={commandWords.title}>
          {offers.map((offer, at) => (
            <CommandRow
              key={`${offer.command.id} ${offer.name}`}
              id={`${id}-${at}`}
              offer={offer}
              active={at === active}
              choose={() => choose(offer)}
            />
          ))}
          {texts.map((name, at) => (
            <TextCommandRow
              key={name}
              id={`${id}-${offers.length + at}`}
              name={name}
              active={offers.length + at === active}
              choose={() => complete(box.current, name)}
            />
          ))}
        </ul>
      ) : null}
      <Refusal error={error} />
    </>
  )
}
