import type { Poll } from '../../features/polls/model.ts'
import { discordTime } from './users.ts'

/** A poll as Discord writes it. An anonymous one has no counts until it ends. */
export const discordPoll = ({ question, answers, multiple, ends_at, ended_at, counts, mine }: Poll) => ({
  question: { text: question },
  answers: answers.map(({ id, text, emoji }) => ({
    answer_id: id,
    poll_media: { text, ...(emoji === null ? {} : { emoji: { id: null, name: emoji } }) },
  })),
  expiry: discordTime(ends_at),
  allow_multiselect: multiple,
  layout_type: 1,
  results: {
    is_finalized: ended_at !== null,
    answer_counts: (counts ?? []).map((count, at) => {
      const { id = at + 1 } = answers[at] ?? {}
      return { id, count, me_voted: mine?.answer_ids?.includes(id) ?? false }
    }),
  },
})
