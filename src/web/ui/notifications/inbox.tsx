import { useState } from 'preact/hooks'
import { call, follow, state } from '../../state/session.ts'
import { isCalled, isOfOther } from '../../state/unread.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { laterWords } from '../../words/later.ts'
import { phoneWords } from '../../words/phone.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal } from '../kit/forms.tsx'
import { useLiveList } from '../messages/use-live-list.ts'
import { InboxEntry } from './inbox-entry.tsx'
import { SavedList } from './saved-list.tsx'

const PAGE = 25

type Tab = 'mentions' | 'saved'

/** The inbox as a dialog. */
export const Inbox = () => (
  <Dialog title={phoneWords.inbox} onClose={closeDialog} class="inbox">
    <InboxLists />
  </Dialog>
)

/** The mentions and the saved messages of the account; opens with the latter while a reminder is due. */
export const InboxLists = () => {
  follow('shell')
  const due = state.reminders.size
  const [tab, setTab] = useState<Tab>(due > 0 ? 'saved' : 'mentions')
  const titles: Record<Tab, string> = { mentions: dialogWords.inbox.title, saved: laterWords.saved.title }
  return (
    <>
      <div class="tabs" role="group" aria-label={phoneWords.inbox}>
        {(['mentions', 'saved'] as const).map((name) => (
          <button type="button" key={name} aria-pressed={tab === name} onClick={() => setTab(name)}>
            {titles[name]}
            {name === 'saved' && due > 0 ? <span class="badge">{due}</span> : null}
          </button>
        ))}
      </div>
      {tab === 'mentions' ? <Mentions /> : <SavedList />}
    </>
  )
}

/** The messages that mention the account, newest first; each leads to its place. */
const Mentions = () => {
  follow('members', 'shell')
  const list = useLiveList({
    page: PAGE,
    fetch: (entries) => {
      const before = entries.at(-1)?.id
      return call('GET /api/mentions', { limit: PAGE, ...(before ? { before } : {}) })
    },
    belongs: (entry) => isOfOther(state, entry) && isCalled(state, entry),
    order: (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at) || other.id - one.id,
  })
  const { entries, isWhole: atEnd, busy, error } = list
  return (
    <div class="scroll mentions" tabIndex={0}>
      {entries.length === 0 && atEnd ? (
        <Empty icon="at" title={dialogWords.inbox.none} text={dialogWords.inbox.noneText} />
      ) : null}
      <ul>
        {entries.map((entry) => (
          <InboxEntry key={entry.id} entry={entry} />
        ))}
      </ul>
      <Refusal error={error} />
      {atEnd ? null : (
        <button type="button" disabled={busy} onClick={list.more}>
          {busy ? words.loading : dialogWords.inbox.more}
        </button>
      )}
    </div>
  )
}
