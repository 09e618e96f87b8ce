import { useState } from 'preact/hooks'
import type { z } from 'zod'
import type { Rule, RuleDraft } from '../../../features/automod/model.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { spanOf } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { TriggerFields } from './automod-trigger.tsx'

export type RuleInput = z.input<typeof RuleDraft>
type EditedRule = Pick<
  Rule,
  | 'name'
  | 'enabled'
  | 'trigger'
  | 'actions'
  | 'exempt_role_ids'
  | 'exempt_channel_ids'
  | 'covers_bots'
  | 'covers_webhooks'
>

/** A new rule, which blocks words. */
export const emptyDraft: EditedRule = {
  name: '',
  enabled: true,
  trigger: { type: 'words', words: [], allow: [] },
  actions: [{ type: 'block', message: null }],
  exempt_role_ids: [],
  exempt_channel_ids: [],
  covers_bots: false,
  covers_webhooks: false,
}

/** Timeouts to choose from, seconds. */
const TIMEOUT_SECONDS = [60, 300, 3600, 86_400, 604_800, 2_419_200]

interface Props {
  server_id: number
  rule: EditedRule
  submit: string
  onSave: (draft: RuleInput) => Promise<void>
  onCancel: () => void
}

/** The form of one rule: its trigger, its actions and its exemptions. */
export const RuleForm = ({ server_id, rule, submit, onSave, onCancel }: Props) => {
  const [draft, setDraft] = useState(rule)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(draft)
  const change = (part: Partial<EditedRule>) => setDraft({ ...draft, ...part })
  const save = async (event: Event) => {
    event.preventDefault()
    const { name, enabled, trigger, actions, exempt_role_ids, exempt_channel_ids, covers_bots, covers_webhooks } = draft
    const exempt = { exempt_role_ids, exempt_channel_ids }
    const body = { name, enabled, trigger, actions, ...exempt, covers_bots, covers_webhooks }
    await attempt(async () => {
      await onSave(body)
      markSaved()
    })
  }
  return (
    <form onSubmit={save} class="automod-rule">
      <Field
        label={automodWords.name}
        value={draft.name}
        onInput={(name) => change({ name })}
        maxLength={100}
        required
        autofocus
      />
      <Switch label={automodWords.enabled} on={draft.enabled} onChange={(enabled) => change({ enabled })} />
      <TriggerFields trigger={draft.trigger} onChange={(trigger) => change({ trigger })} />
      <Actions server_id={server_id} actions={draft.actions} onChange={(actions) => change({ actions })} />
      <fieldset>
        <legend>{automodWords.exemptions}</legend>
        <Chips
          label={automodWords.roles}
          options={rolesOf(server_id)}
          chosenIds={draft.exempt_role_ids}
          onChange={(exempt_role_ids) => change({ exempt_role_ids })}
        />
        <Chips
          label={automodWords.channels}
          options={placesOf(server_id)}
          chosenIds={draft.exempt_channel_ids}
          onChange={(exempt_channel_ids) => change({ exempt_channel_ids })}
        />
        <Switch label={automodWords.bots} on={draft.covers_bots} onChange={(covers_bots) => change({ covers_bots })} />
        <Switch
          label={automodWords.webhooks}
          on={draft.covers_webhooks}
          onChange={(covers_webhooks) => change({ covers_webhooks })}
        />
      </fieldset>
      <Refusal error={error} says={automodWords.problems} />
      <FormFooter submit={submit} busy={busy}>
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </FormFooter>
    </form>
  )
}

const rolesOf = (server_id: number): [number, string][] =>
  [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .toSorted((a, b) => b.position - a.position)
    .map((role) => [role.id, withoutBidi(role.name)])

const placesOf = (server_id: number): [number, string][] =>
  [...state.categoriesOf(server_id), ...state.channelsOf(server_id)].map((channel) => [channel.id, titleOf(channel)])

interface ChipsProps {
  label: string
  options: [id: number, name: string][]
  chosenIds: number[]
  onChange: (ids: number[]) => void
}

/** A choice of several; nothing if there is nothing to choose from. */
const Chips = ({ label, options, chosenIds, onChange }: ChipsProps) => {
  if (options.length === 0) return null
  const toggle = (id: number) =>
    onChange(chosenIds.includes(id) ? chosenIds.filter((each) => each !== id) : [...chosenIds, id])
  return (
    <fieldset>
      <legend>{label}</legend>
      <ul class="chips">
        {options.map(([id, name]) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={chosenIds.includes(id)} onChange={() => toggle(id)} />
              <bdi>{name}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

type Action = EditedRule['actions'][number]
interface ActionsProps {
  server_id: number
  actions: Action[]
  onChange: (actions: Action[]) => void
}

const Actions = ({ server_id, actions, onChange }: ActionsProps) => {
  const of = <T extends Action['type']>(type: T) =>
    actions.find((action): action is Extract<Action, { type: T }> => action.type === type)
  const put = (type: Action['type'], action: Action | undefined) =>
    onChange([...actions.filter((each) => each.type !== type), ...(action ? [action] : [])])
  const [block, alert, timeout] = [of('block'), of('alert'), of('timeout')]
  // The server checks again: a channel that every member sees is refused.
  const channels = state
    .channelsOf(server_id)
    .filter(({ type }) => type === 'text')
    .map((channel): [number, string] => [channel.id, titleOf(channel)])
  return (
    <fieldset>
      <legend>{automodWords.actions}</legend>
      <Switch
        label={automodWords.block}
        on={block !== undefined}
        onChange={(on) => put('block', on ? { type: 'block', message: null } : undefined)}
      />
      {block ? (
        <Field
          label={automodWords.message}
          value={block.message ?? ''}
          onInput={(message) => put('block', { type: 'block', message: message === '' ? null : message })}
          maxLength={300}
        />
      ) : null}
      <SelectField
        label={automodWords.alert}
        value={alert?.channel_id ?? 0}
        options={[[0, automodWords.noAlert], ...channels]}
        onChange={(channel_id) => put('alert', channel_id === 0 ? undefined : { type: 'alert', channel_id })}
      />
      <p class="quiet">{automodWords.alertHint}</p>
      <SelectField
        label={automodWords.timeout}
        value={timeout?.seconds ?? 0}
        options={[
          [0, automodWords.noTimeout],
          ...TIMEOUT_SECONDS.map((each): [number, string] => [each, spanOf(each)]),
        ]}
        onChange={(seconds) => put('timeout', seconds === 0 ? undefined : { type: 'timeout', seconds })}
      />
      <Switch
        label={automodWords.quarantine}
        on={of('quarantine') !== undefined}
        onChange={(on) => put('quarantine', on ? { type: 'quarantine' } : undefined)}
      />
    </fieldset>
  )
}
