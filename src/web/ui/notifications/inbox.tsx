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
import { ScheduledList } from './scheduled-list.tsx'

const PAGE = 25

const TABS = ['mentions', 'saved', 'scheduled'] as const
type Tab = (typeof TABS)[number]

/** The inbox as a dialog. */
export const Inbox = () => (
  <Dialog title={phoneWords.inbox} onClose={closeDialog} class="inbox">
    <InboxLists />
  </Dialog>
)

/** The lists of the inbox; opens with the first one that has something to deal with. */
export const InboxLists = () => {
  follow('shell')
  const waiting: Record<Tab, number> = { mentions: 0, saved: state.reminders.size, scheduled: state.unsent.size }
  const [tab, setTab] = useState<Tab>(TABS.find((name) => waiting[name] > 0) ?? 'mentions')
  const titles: Record<Tab, string> = {
    mentions: dialogWords.inbox.title,
    saved: laterWords.saved.title,
    scheduled: laterWords.scheduled.title,
  }
  return (
    <>
      <div class="tabs" role="group" aria-label={phoneWords.inbox}>
        {TABS.map((name) => (
          <button type="button" key={name} aria-pressed={tab === name} onClick={() => setTab(name)}>
            {titles[name]}
            {waiting[name] > 0 ? <span class="badge">{waiting[name]}</span> : null}
          </button>
        ))}
      </div>
      {tab === 'mentions' ? <Mentions /> : tab === 'saved' ? <SavedList /> : <ScheduledList />}
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
