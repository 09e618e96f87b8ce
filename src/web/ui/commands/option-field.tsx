import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { CommandOption } from '../../../features/interactions/model.ts'
import { isLarge } from '../../state/member-lists.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { upload } from '../../state/upload.ts'
import { commandWords } from '../../words/commands.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { askChoices } from './ask.tsx'
import { peopleIn } from './choices.ts'
import { shownDescription, shownName } from './known-commands.ts'
import { isLong, SearchChoice } from './search-choice.tsx'

type Value = string | number | boolean
/** Values of options, by name. */
export type Given = Record<string, Value>

/** Pause between the last key and the request for choices. */
const TYPING_MS = 200

interface OptionFieldProps {
  channel: Channel
  option: CommandOption
  first: boolean
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  /** The command, and the values so far. */
  context: { command_id: number; subcommand: string | null; options: Given }
}

/** Choices of an option: values with their names. */
function offeredFor({ type, choices }: CommandOption, channel: Channel): [Value, string][] | undefined {
  const { server_id } = channel
  if (choices.length > 0) return choices.map((choice) => [choice.value, shownName(choice)])
  if (type === 'boolean')
    return [
      [true, commandWords.yes],
      [false, commandWords.no],
    ]
  if (type === 'user') return peopleIn(channel).map((id) => [id, nameOf(id)])
  if (type === 'channel')
    return server_id === null ? [] : state.channelsOf(server_id).map((each) => [each.id, titleOf(each)])
  if (type === 'role')
    return [...state.roles.values()]
      .filter((role) => role.server_id === server_id)
      .map((role) => [role.id, withoutBidi(role.name)])
  return undefined
}

const isNumbered = ([value]: readonly unknown[]): boolean => typeof value === 'number'

/** A field for an option, by its type. */
export const OptionField = (props: OptionFieldProps) => {
  follow('members')
  const { option, channel, first, value, onChange } = props
  const choices = option.autocomplete ? undefined : offeredFor(option, channel)
  const isSearched = option.type === 'user' && channel.server_id !== null && isLarge(state, channel.server_id)
  const numbered =
    choices && (isSearched || isLong(choices))
      ? choices.filter((each): each is [number, string] => isNumbered(each))
      : []
  return (
    <label class="field">
      <span>
        {shownName(option)}
        {option.required ? ' *' : ''}
      </span>
      {numbered.length > 0 || isSearched ? (
        <SearchChoice
          label={shownName(option)}
          choices={numbered}
          value={typeof value === 'number' ? value : undefined}
          onChange={onChange}
          required={option.required}
          membersOf={isSearched ? channel.server_id : null}
        />
      ) : choices ? (
        <select
          required={option.required}
          autofocus={first}
          value={String(choices.findIndex(([each]) => each === value))}
          onChange={(event) => onChange(choices[Number(event.currentTarget.value)]?.[0])}
        >
          <option value="-1">{commandWords.choose}</option>
          {choices.map(([each, text], at) => (
            <option key={String(each)} value={String(at)}>
              {text}
            </option>
          ))}
        </select>
      ) : option.type === 'attachment' ? (
        <FileField {...props} />
      ) : (
        <TextField {...props} />
      )}
      <small>{shownDescription(option)}</small>
    </label>
  )
}

/** A file, which is uploaded when it is chosen. */
const FileField = ({ option, first, onChange }: OptionFieldProps) => {
  const { attempt, error } = useAttempt()
  const field = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined) => {
    onChange(undefined)
    // The form is not sent without it meanwhile.
    field.current?.setCustomValidity(file ? commandWords.uploading : '')
    const record = file && (await attempt(() => upload(file, () => {}, new AbortController().signal)))
    field.current?.setCustomValidity('')
    if (record) onChange(record.id)
  }
  return (
    <>
      <input
        ref={field}
        type="file"
        required={option.required}
        autofocus={first}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      <Refusal error={error} />
    </>
  )
}

/** Text or a number; while it is typed the bot may offer choices. */
const TextField = ({ option, channel, first, value, onChange, context }: OptionFieldProps) => {
  const { type, min, max, required, autocomplete, name } = option
  const id = useId()
  const [choices, setChoices] = useState<{ name: string; value: string | number }[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // The answer to an earlier key may arrive after that to a later one.
  const newest = useRef({})
  useEffect(() => () => clearTimeout(timer.current), [])
  const isText = type === 'string'
  const suggest = (options: Given) => {
    clearTimeout(timer.current)
    if (!autocomplete) return
    const asking = (newest.current = {})
    const offer = (offers: typeof choices) => {
      if (asking === newest.current) setChoices(offers)
    }
    timer.current = setTimeout(() => {
      const draft = { kind: 'autocomplete' as const, channel_id: channel.id, ...context, options, focused: name }
      void askChoices(draft).then(offer, () => offer([]))
    }, TYPING_MS)
  }
  const onText = (text: string) => {
    const choiceValue = choices.find((choice) => choice.name === text)?.value
    const next = text === '' ? undefined : (choiceValue ?? (isText ? text : Number(text)))
    onChange(next)
    suggest({ ...context.options, ...(next === undefined ? {} : { [name]: next }) })
  }
  const label = choices.find((choice) => choice.value === value)?.name ?? String(value ?? '')
  const bounds = isText
    ? { minLength: min ?? undefined, maxLength: max ?? undefined }
    : { min: min ?? undefined, max: max ?? undefined, step: type === 'integer' ? 1 : 'any' }
  return (
    <>
      <input
        {...bounds}
        type={(isText || autocomplete ? 'text' : 'number') as 'text'}
        list={autocomplete ? id : undefined}
        required={required}
        autofocus={first}
        autocomplete="off"
        value={label}
        onFocus={() => suggest(context.options)}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {autocomplete ? (
        <datalist id={id}>
          {choices.map((choice) => (
            <option key={choice.name} value={choice.name} />
          ))}
        </datalist>
      ) : null}
    </>
  )
}
