import { useEffect, useId, useState } from 'preact/hooks'
import type { Poll } from '../../../features/polls/model.ts'
import { momentOf } from '../../state/format.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, follow, state } from '../../state/session.ts'
import { type Entry, entryOf } from '../../state/timeline.ts'
import { pollWords } from '../../words/polls.ts'
import { Emoji } from '../emoji/emoji.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { showLater } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { authorIdOf } from './current-message.ts'

/** The longest delay of a timer, ms; a poll that ends later is looked at again then. */
const DELAY_MS_MAX = 2 ** 31 - 1

/** True once no vote counts any more, also before the server's event says so. */
function useIsOver({ ends_at, ended_at }: Poll): boolean {
  const [now, setNow] = useState(serverNow)
  const leftMs = Date.parse(ends_at) - now
  useEffect(() => {
    if (leftMs <= 0) return undefined
    const timer = setTimeout(() => setNow(serverNow()), Math.min(leftMs, DELAY_MS_MAX))
    return () => clearTimeout(timer)
  }, [leftMs])
  return ended_at !== null || leftMs <= 0
}

const mayEnd = (entry: Entry): boolean => {
  const channel = state.channels.get(entry.channel_id)
  return authorIdOf(entry) === state.me() || (channel !== undefined && state.mayIn(channel, 'manage_messages'))
}

const askToEnd = ({ id }: Entry) =>
  askToConfirm({
    title: pollWords.end,
    text: pollWords.endText,
    action: pollWords.end,
    work: () => call('POST /api/messages/:message_id/poll/end', { message_id: id }),
  })

/** Why a poll shows no counts; undefined if it shows them. */
function hiddenText({ anonymous, counts, mine }: Poll, isOver: boolean): string | undefined {
  if (counts !== null) return undefined
  if (isOver) return pollWords.tooFew
  return anonymous && mine?.voted ? pollWords.votedAnonymous : pollWords.anonymousText
}

/** The poll of a message as it is now. */
export const PollView = ({ entry }: { entry: Entry }) => {
  follow(`timeline c${entry.channel_id}`, 'members')
  const timeline = state.timelines.get(`c${entry.channel_id}`)
  const now = (timeline && entryOf(timeline, entry.id)) ?? entry
  return now.poll ? <LivePoll entry={now} poll={now.poll} /> : null
}

/** A form until the account has voted, then the results. */
const LivePoll = ({ entry, poll }: { entry: Entry; poll: Poll }) => {
  const isOver = useIsOver(poll)
  const [isPeeking, setPeeking] = useState(false)
  const hasVoted = poll.mine?.voted === true
  const hidden = hiddenText(poll, isOver)
  const isResult = isOver || hasVoted || isPeeking
  return (
    <section class="poll" aria-label={pollWords.poll}>
      {isResult ? <Results entry={entry} poll={poll} /> : <Ballot entry={entry} poll={poll} />}
      {hidden ? <p class="quiet">{hidden}</p> : null}
      <p class="quiet">
        {pollWords.voters(poll.voter_count)} ·{' '}
        {isOver ? pollWords.ended(momentOf(poll.ended_at ?? poll.ends_at)) : pollWords.ends(momentOf(poll.ends_at))}
        {!isOver && !hasVoted && !poll.anonymous ? (
          <>
            {' · '}
            <button type="button" class="link" aria-pressed={isPeeking} onClick={() => setPeeking(!isPeeking)}>
              {isPeeking ? pollWords.back : pollWords.results}
            </button>
          </>
        ) : null}
        {!isOver && hasVoted && !poll.anonymous ? <TakeBack message_id={entry.id} /> : null}
        {!isOver && mayEnd(entry) ? (
          <>
            {' · '}
            <button type="button" class="link" onClick={() => void askToEnd(entry)}>
              {pollWords.end}
            </button>
          </>
        ) : null}
      </p>
    </section>
  )
}

const useVote = (message_id: number) => {
  const { attempt, busy, error } = useAttempt()
  const vote = (answer_ids: number[]) =>
    attempt(() => call('PUT /api/messages/:message_id/poll/votes', { message_id }, { answer_ids }))
  return { vote, busy, error }
}

const TakeBack = ({ message_id }: { message_id: number }) => {
  const { vote, busy, error } = useVote(message_id)
  return (
    <>
      {' · '}
      <button type="button" class="link" disabled={busy} onClick={() => void vote([])}>
        {pollWords.change}
      </button>
      <Refusal error={error} />
    </>
  )
}

const Answer = ({ answer }: { answer: Poll['answers'][number] }) => (
  <>
    {answer.emoji ? (
      <>
        <Emoji emoji={answer.emoji} />{' '}
      </>
    ) : null}
    <bdi>{answer.text}</bdi>
  </>
)

/** The form of a vote: answers by arrow keys or by Space, Enter votes. */
const Ballot = ({ entry, poll }: { entry: Entry; poll: Poll }) => {
  const name = useId()
  const [chosen, setChosen] = useState<number[]>([])
  const { vote, busy, error } = useVote(entry.id)
  const choose = (id: number, isOn: boolean) => {
    const others = poll.multiple ? chosen.filter((other) => other !== id) : []
    setChosen(isOn ? [...others, id] : others)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (chosen.length > 0) void vote(chosen)
  }
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend dir="auto">{poll.question}</legend>
        <p class="quiet">{poll.multiple ? pollWords.chooseSeveral : pollWords.chooseOne}</p>
        {poll.answers.map((answer) => (
          <label key={answer.id} class="answer">
            <input
              type={poll.multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(answer.id)}
              onChange={(event) => choose(answer.id, event.currentTarget.checked)}
            />
            <span dir="auto">
              <Answer answer={answer} />
            </span>
          </label>
        ))}
      </fieldset>
      <Refusal error={error} />
      <button class="primary" disabled={busy || chosen.length === 0}>
        {pollWords.vote}
      </button>
    </form>
  )
}

const showVoters = (entry: Entry, answer: Poll['answers'][number]) =>
  showLater(async () => {
    const { PollVoters } = await import('./poll-voters.tsx')
    return () => <PollVoters message_id={entry.id} answer={answer} />
  })

const Results = ({ entry, poll }: { entry: Entry; poll: Poll }) => {
  const { counts, voter_count } = poll
  const mostVotes = Math.max(1, ...(counts ?? []))
  return (
    <>
      <p class="question" dir="auto">
        {poll.question}
      </p>
      <ul>
        {poll.answers.map((answer, at) => {
          const count = counts?.[at]
          const isMine = poll.mine?.answer_ids?.includes(answer.id) === true
          const percent = count === undefined ? 0 : Math.round((100 * count) / Math.max(1, voter_count))
          return (
            <li key={answer.id} class={`answer ${count === mostVotes ? 'leads' : ''}`}>
              {count === undefined ? null : <span class="bar" style={{ width: `${percent}%` }} />}
              <span class="said" dir="auto">
                <Answer answer={answer} />
              </span>
              {isMine ? (
                <span class="mine" role="img" aria-label={pollWords.yours} title={pollWords.yours}>
                  <Icon name="check" size={16} />
                </span>
              ) : null}
              {count === undefined ? null : (
                <Count
                  percent={percent}
                  count={count}
                  show={poll.anonymous ? undefined : () => showVoters(entry, answer)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Votes and share of an answer; a click shows who voted for it. */
const Count = ({ percent, count, show }: { percent: number; count: number; show: (() => unknown) | undefined }) => {
  const text = pollWords.share({ n: count, percent })
  if (!show || count === 0) return <span class="share">{text}</span>
  return (
    <button type="button" class="link share" title={pollWords.who} onClick={() => void show()}>
      {text}
    </button>
  )
}
