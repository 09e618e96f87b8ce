import { useState } from 'preact/hooks'
import type { Component, Components } from '../../../features/messages/model.ts'
import { follow } from '../../state/session.ts'
import { commandWords } from '../../words/commands.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { ask } from './ask.tsx'
import { offeredIn } from './choices.ts'
import { SearchedSelect } from './searched-select.tsx'

/** Owner of components: a message, or an answer that only the account sees. */
type Place = { message_id: number } | { interaction_id: number; answer: number }
type SelectMenu = Extract<Component, { type: 'select' }>

interface ComponentsProps {
  rows: Components
  place: Place
  channel_id: number
  bot: string
}

/** The buttons and selects of a bot. */
export const ComponentRows = ({ rows, place, channel_id, bot }: ComponentsProps) => {
  const { attempt, busy, error } = useAttempt()
  const use = (custom_id: string, values: string[] = []) =>
    void attempt(() => ask({ kind: 'component', ...place, custom_id, values }, channel_id, bot))
  return (
    <div class="components">
      {rows.map((row, at) => (
        <div key={at} class="choices">
          {row.map((component) =>
            component.type === 'link' ? (
              <a
                key={component.url}
                class="button"
                href={component.url}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                {component.label}
              </a>
            ) : component.type === 'button' ? (
              <button
                key={component.custom_id}
                type="button"
                class={component.style}
                disabled={busy || component.disabled}
                onClick={() => use(component.custom_id)}
              >
                {component.label}
              </button>
            ) : (
              <Select key={component.custom_id} menu={component} channel_id={channel_id} busy={busy} use={use} />
            ),
          )}
        </div>
      ))}
      <Refusal error={error} />
    </div>
  )
}

interface SelectProps {
  menu: SelectMenu
  channel_id: number
  busy: boolean
  use: (custom_id: string, values: string[]) => void
}

const Select = ({ menu, channel_id, busy, use }: SelectProps) => {
  follow('members')
  const { custom_id, placeholder, min, max, disabled } = menu
  const [chosen, setChosen] = useState<string[]>([])
  const label = placeholder || commandWords.choose
  const { choices, membersOf, isSearched } = offeredIn(menu, channel_id)
  const isMany = max > 1
  const isOff = busy || disabled
  const choose = (values: string[]) => {
    setChosen(values)
    if (!isMany && values.length > 0) use(custom_id, values)
  }
  return (
    <>
      {isSearched ? (
        <SearchedSelect
          label={label}
          choices={choices}
          membersOf={membersOf}
          chosen={chosen}
          max={max}
          disabled={isOff}
          onChange={choose}
        />
      ) : (
        <select
          aria-label={label}
          multiple={isMany}
          disabled={isOff}
          onChange={(event) =>
            choose([...event.currentTarget.selectedOptions].flatMap(({ value }) => (value === '' ? [] : [value])))
          }
        >
          {isMany ? null : <option value="">{label}</option>}
          {choices.map(([value, text]) => (
            <option key={value} value={value} selected={chosen.includes(value)}>
              {text}
            </option>
          ))}
        </select>
      )}
      {isMany ? (
        <button
          type="button"
          disabled={isOff || chosen.length < min || chosen.length > max}
          onClick={() => use(custom_id, chosen)}
        >
          {commandWords.send}
        </button>
      ) : null}
    </>
  )
}
