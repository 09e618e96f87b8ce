import { useState } from 'preact/hooks'
import type { Rule } from '../../../features/automod/model.ts'
import { automodWords } from '../../words/automod.ts'
import { digits, spanOf } from '../../words/plural.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Field } from '../kit/forms.tsx'

type Trigger = Rule['trigger']
type TriggerOf<T extends Trigger['type']> = Extract<Trigger, { type: T }>

const EMPTY: { [T in Trigger['type']]: TriggerOf<T> } = {
  words: { type: 'words', words: [], allow: [] },
  patterns: { type: 'patterns', patterns: [] },
  links: { type: 'links', mode: 'deny', hosts: [] },
  invites: { type: 'invites' },
  mentions: { type: 'mentions', max: 5 },
  spam: { type: 'spam', by: 'member', count: 5, seconds: 10 },
  attachments: { type: 'attachments', types: [] },
  profile: { type: 'profile', words: [], allow: [], patterns: [] },
}
const TYPES = Object.keys(EMPTY) as Trigger['type'][]
/** Choices, so that a phone needs no keyboard. */
const COUNTS = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50]
const SECONDS = [5, 10, 20, 30, 60, 120, 300, 600]

const withOwn = (choices: number[], own: number): number[] =>
  choices.includes(own) ? choices : [...choices, own].toSorted((a, b) => a - b)

interface Props<T> {
  trigger: T
  onChange: (trigger: Trigger) => void
}

/** The choice of a trigger, and its fields. */
export const TriggerFields = ({ trigger, onChange }: Props<Trigger>) => (
  <>
    <SelectField
      label={automodWords.trigger}
      value={trigger.type}
      options={TYPES.map((type) => [type, automodWords.triggers[type]])}
      onChange={(type) => onChange(EMPTY[type])}
    />
    <Fields key={trigger.type} trigger={trigger} onChange={onChange} />
  </>
)

const Fields = ({ trigger, onChange }: Props<Trigger>) => {
  switch (trigger.type) {
    case 'words':
      return <WordLists trigger={trigger} onChange={onChange} />
    case 'profile':
      return (
        <>
          <WordLists trigger={trigger} onChange={onChange} />
          <Patterns trigger={trigger} onChange={onChange} />
        </>
      )
    case 'patterns':
      return <Patterns trigger={trigger} onChange={onChange} />
    case 'links':
      return (
        <>
          <SelectField
            label={automodWords.mode}
            value={trigger.mode}
            options={(['deny', 'allow'] as const).map((mode) => [mode, automodWords.modes[mode]])}
            onChange={(mode) => onChange({ ...trigger, mode })}
          />
          <Lines
            label={automodWords.hosts}
            hint={automodWords.hostsHint}
            lines={trigger.hosts}
            onChange={(hosts) => onChange({ ...trigger, hosts })}
          />
        </>
      )
    case 'invites':
      return null
    case 'mentions':
      return (
        <Numbers
          label={automodWords.max}
          value={trigger.max}
          choices={COUNTS}
          onChange={(max) => onChange({ ...trigger, max })}
        />
      )
    case 'attachments':
      return (
        <Lines
          label={automodWords.types}
          hint={automodWords.typesHint}
          lines={trigger.types}
          onChange={(types) => onChange({ ...trigger, types: types.map((type) => type.toLowerCase()) })}
        />
      )
    case 'spam':
      return <SpamFields trigger={trigger} onChange={onChange} />
  }
}

const SpamFields = ({ trigger, onChange }: Props<TriggerOf<'spam'>>) => (
  <>
    <SelectField
      label={automodWords.by}
      value={trigger.by}
      options={(['member', 'text'] as const).map((by) => [by, automodWords.bys[by]])}
      onChange={(by) => onChange({ ...trigger, by })}
    />
    <Numbers
      label={automodWords.count}
      value={trigger.count}
      choices={COUNTS}
      onChange={(count) => onChange({ ...trigger, count })}
    />
    <SelectField
      label={automodWords.seconds}
      value={trigger.seconds}
      options={withOwn(SECONDS, trigger.seconds).map((each) => [each, spanOf(each)])}
      onChange={(seconds) => onChange({ ...trigger, seconds })}
    />
  </>
)

const WordLists = ({ trigger, onChange }: Props<TriggerOf<'words' | 'profile'>>) => (
  <>
    <Lines
      label={automodWords.words}
      hint={automodWords.wordsHint}
      lines={trigger.words}
      onChange={(words) => onChange({ ...trigger, words })}
    />
    <Lines
      label={automodWords.allow}
      hint={automodWords.allowHint}
      lines={trigger.allow}
      onChange={(allow) => onChange({ ...trigger, allow })}
    />
  </>
)

const Patterns = ({ trigger, onChange }: Props<TriggerOf<'patterns' | 'profile'>>) => (
  <Lines
    label={automodWords.patterns}
    hint={automodWords.patternsHint}
    lines={trigger.patterns}
    onChange={(patterns) => onChange({ ...trigger, patterns })}
  />
)

interface NumbersProps {
  label: string
  value: number
  choices: number[]
  onChange: (value: number) => void
}

const Numbers = ({ label, value, choices, onChange }: NumbersProps) => (
  <SelectField
    label={label}
    value={value}
    options={withOwn(choices, value).map((each) => [each, digits(each)])}
    onChange={onChange}
  />
)

interface LinesProps {
  label: string
  hint: string
  lines: string[]
  onChange: (lines: string[]) => void
}

/** A list that is written one entry a line. The text stays as it is typed, with its empty lines. */
const Lines = ({ label, hint, lines, onChange }: LinesProps) => {
  const [text, setText] = useState(lines.join('\n'))
  const change = (next: string) => {
    setText(next)
    const entries = next.split('\n').map((line) => line.trim())
    onChange([...new Set(entries.filter((line) => line !== ''))])
  }
  return <Field label={label} hint={hint} value={text} onInput={change} multiline />
}
