import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Rule } from '../../../features/automod/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { IconButton } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { AutomodHits } from './automod-hits.tsx'
import { emptyDraft, RuleForm, type RuleInput } from './automod-form.tsx'
import { TryText } from './automod-test.tsx'
import { RaidMode, Verification } from './strangers.tsx'

/** The automod rules of a server, how it takes new members, its raid mode, and what the rules found. */
export const Automod = ({ server_id }: { server_id: number }) => {
  follow('shell')
  return (
    <>
      {state.may(server_id, 'manage_server') ? <Rules server_id={server_id} /> : null}
      {state.may(server_id, 'manage_server') ? <Verification server_id={server_id} /> : null}
      {state.may(server_id, 'moderate_members') ? (
        <>
          <RaidMode server_id={server_id} />
          <AutomodHits server_id={server_id} />
        </>
      ) : null}
    </>
  )
}

/** Gives the focus back to the first button of an element once the form that it opened has gone. */
function useFocusBack<E extends HTMLElement>(isOpen: boolean) {
  const element = useRef<E>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) element.current?.querySelector('button')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return element
}

const Rules = ({ server_id }: { server_id: number }) => {
  const [rules, setRules] = useState<Rule[]>()
  const [isMaking, setMaking] = useState(false)
  const { attempt, error } = useAttempt()
  const opener = useFocusBack<HTMLSpanElement>(isMaking)
  useLayoutEffect(() => {
    setRules(undefined)
    void attempt(async () => setRules(await call('GET /api/servers/:server_id/automod', { server_id })))
  }, [server_id])
  const put = (rule: Rule) =>
    setRules((before = []) => [...before.filter(({ id }) => id !== rule.id), rule].toSorted((a, b) => a.id - b.id))
  const make = async (draft: RuleInput) => {
    put(await call('POST /api/servers/:server_id/automod', { server_id }, draft))
    setMaking(false)
  }
  return (
    <>
      <h3>{automodWords.title}</h3>
      <p class="quiet">{automodWords.hint}</p>
      <Refusal error={error} />
      {rules?.length === 0 && !isMaking ? (
        <Empty icon="lock" title={automodWords.none} text={automodWords.noneText} />
      ) : null}
      <ul class="table automod">
        {rules?.map((rule) => (
          <Row
            key={rule.id}
            rule={rule}
            onChange={put}
            onDelete={() => setRules((before = []) => before.filter(({ id }) => id !== rule.id))}
          />
        ))}
      </ul>
      {isMaking ? (
        <RuleForm
          server_id={server_id}
          rule={emptyDraft}
          submit={automodWords.create}
          onSave={make}
          onCancel={() => setMaking(false)}
        />
      ) : (
        <span class="choices" ref={opener}>
          <button type="button" onClick={() => setMaking(true)}>
            {automodWords.make}
          </button>
        </span>
      )}
      {rules && rules.length > 0 ? <TryText server_id={server_id} /> : null}
    </>
  )
}

interface RowProps {
  rule: Rule
  onChange: (rule: Rule) => void
  onDelete: () => void
}

const Row = ({ rule, onChange, onDelete }: RowProps) => {
  const [isOpen, setOpen] = useState(false)
  const opener = useFocusBack<HTMLDivElement>(isOpen)
  const path = { rule_id: rule.id }
  const name = withoutBidi(rule.name)
  const remove = () =>
    askToConfirm({
      title: automodWords.delete(name),
      text: automodWords.deleteText,
      action: automodWords.delete(name),
      work: async () => {
        await call('DELETE /api/automod/:rule_id', path)
        onDelete()
      },
    })
  const save = async (draft: RuleInput) => {
    onChange(await call('PUT /api/automod/:rule_id', path, draft))
    setOpen(false)
    showNote(words.saved)
  }
  return (
    <li>
      <div class="row" ref={opener}>
        <span>
          <bdi>{name}</bdi>
          <small>
            {automodWords.triggers[rule.trigger.type]}
            {rule.enabled ? '' : ` · ${automodWords.off}`}
          </small>
        </span>
        <IconButton
          icon={isOpen ? 'close' : 'edit'}
          label={isOpen ? automodWords.close : automodWords.edit(name)}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="trash" label={automodWords.delete(name)} onClick={remove} />
      </div>
      {isOpen ? (
        <RuleForm
          key={rule.updated_at}
          server_id={rule.server_id}
          rule={rule}
          submit={words.save}
          onSave={save}
          onCancel={() => setOpen(false)}
        />
      ) : null}
    </li>
  )
}
