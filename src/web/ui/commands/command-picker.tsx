import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import type { OfferedCommand, Subcommand } from '../../../features/interactions/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { commandWords } from '../../words/commands.ts'
import { Picture } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { ask } from './ask.tsx'
import { type Given, OptionField } from './option-field.tsx'

/** What commands are for: the channel, a message or an account. */
export type CommandTarget = { kind: 'chat' } | { kind: 'message' | 'user'; target_id: number }

/** A command, or one of its subcommands. */
interface Offer {
  command: OfferedCommand
  subcommand: Subcommand | undefined
  name: string
}

const offersOf = (commands: OfferedCommand[]): Offer[] =>
  commands.flatMap((command): Offer[] =>
    command.subcommands.length === 0
      ? [{ command, subcommand: undefined, name: command.name }]
      : command.subcommands.map((subcommand) => ({ command, subcommand, name: `${command.name} ${subcommand.name}` })),
  )

interface PickerProps {
  channel: Channel
  commands: OfferedCommand[]
  target: CommandTarget
  /** What was typed after the slash. */
  typed: string
  onUsed: () => void
}

/** The commands of bots: found by name, chosen by keyboard or touch, and filled in. */
export const CommandPicker = ({ channel, commands, target, typed, onUsed }: PickerProps) => {
  const [query, setQuery] = useState(typed)
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<Offer>()
  const { attempt, busy, error } = useAttempt()
  const found = offersOf(commands).filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
  const use = async ({ command, subcommand }: Offer, options: Given) => {
    const asked = {
      kind: 'command' as const,
      channel_id: channel.id,
      command_id: command.id,
      subcommand: subcommand?.name ?? null,
      options,
      target_id: target.kind === 'chat' ? null : target.target_id,
      locale: navigator.language.slice(0, 35),
    }
    const onBegun = () => {
      closeDialog()
      onUsed()
    }
    await attempt(() => ask(asked, channel.id, withoutBidi(command.bot.display_name), onBegun))
  }
  const choose = (offer: Offer) => {
    const options = (offer.subcommand ?? offer.command).options
    if (options.length === 0) void use(offer, {})
    else setChosen(offer)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const offer = found[at]
    if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length)
    else if (event.key === 'Enter' && offer && !event.isComposing) choose(offer)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={chosen ? `/${chosen.name}` : commandWords.title} onClose={closeDialog} class="commands">
      {chosen ? (
        <CommandForm
          key={chosen.name}
          channel={channel}
          offer={chosen}
          busy={busy}
          use={(options) => void use(chosen, options)}
          back={() => setChosen(undefined)}
        />
      ) : (
        <>
          <input
            type="search"
            list={undefined}
            role="combobox"
            aria-expanded="true"
            aria-controls="commands-found"
            aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
            aria-label={commandWords.find}
            placeholder={commandWords.find}
            value={query}
            autofocus
            onInput={(event) => {
              setQuery(event.currentTarget.value.replace(/^\//, ''))
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          {found.length === 0 ? (
            <p class="quiet">{commands.length === 0 ? commandWords.none : commandWords.nothing}</p>
          ) : null}
          <ul class="suggestions-list" id="commands-found" role="listbox" aria-label={commandWords.title}>
            {found.map((offer, place) => (
              <li
                key={`${offer.command.id} ${offer.name}`}
                id={`command-${place}`}
                role="option"
                aria-selected={place === at}
                class={`row person ${place === at ? 'here' : ''}`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(offer)}
              >
                <BotPicture command={offer.command} />
                <span>
                  <b>
                    {offer.command.kind === 'chat' ? '/' : ''}
                    {offer.name}
                  </b>
                  <small>
                    {(offer.subcommand ?? offer.command).description}{' '}
                    {commandWords.by(withoutBidi(offer.command.bot.display_name))}
                  </small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Refusal error={error} />
    </Dialog>
  )
}

const BotPicture = ({ command: { bot } }: { command: OfferedCommand }) => (
  <Picture id={bot.id} name={bot.display_name} file_id={bot.avatar_file_id} size={32} />
)

interface FormProps {
  channel: Channel
  offer: Offer
  busy: boolean
  use: (options: Given) => void
  back: () => void
}

/** The fields of a command. */
const CommandForm = ({ channel, offer: { command, subcommand, name }, busy, use, back }: FormProps) => {
  const [given, setGiven] = useState<Given>({})
  const form = useRef<HTMLFormElement>(null)
  // The dialog is open already: `autofocus` does nothing there.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const { options, description } = subcommand ?? command
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        use(given)
      }}
    >
      <p class="quiet">{description}</p>
      {options.map((option, at) => (
        <OptionField
          key={option.name}
          channel={channel}
          option={option}
          first={at === 0}
          value={given[option.name]}
          onChange={(value) =>
            setGiven((others) => {
              const next = { ...others }
              if (value === undefined) delete next[option.name]
              else next[option.name] = value
              return next
            })
          }
          asked={{ command_id: command.id, subcommand: subcommand?.name ?? null, options: given }}
        />
      ))}
      <FormFooter submit={commandWords.use(name)} busy={busy}>
        <button type="button" onClick={back}>
          {commandWords.back}
        </button>
      </FormFooter>
    </form>
  )
}
