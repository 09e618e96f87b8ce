// Printed from locales/en/polls.json. After a change there: bun run words
import { count, digits, inLanguage, spanOf } from './plural.ts'

/** Words of polls, loaded with the first one. */
export const pollWords = inLanguage('polls', {
  poll: 'Poll',
  question: 'Question',
  questionExample: 'Which day suits you?',
  answer: (n: number) => `Answer ${digits(n)}`,
  addAnswer: 'Add answer',
  duration: 'Ends after',
  span: (seconds: number) => spanOf(seconds),
  multiple: 'Allow several answers',
  anonymous: 'Anonymous',
  promise:
    'The server keeps no link between people and their votes. Votes are final, and the results are shown at the end if at least five people vote.',
  send: 'Send poll',
  chooseOne: 'Choose one answer',
  chooseSeveral: 'Choose one or more answers',
  vote: 'Vote',
  change: 'Change vote',
  results: 'Show results',
  back: 'Back to the answers',
  voters: (n: number) => count(n, '# person voted', '# people voted'),
  share: ({ n, percent }: { n: number; percent: number }) => `${count(n, '# vote', '# votes')}, ${digits(percent)} %`,
  who: 'Show who voted for it',
  votersOf: (answer: string) => `Votes for ${answer}`,
  yours: 'Your vote',
  ends: (time: string) => `Ends ${time}`,
  ended: (time: string) => `Ended ${time}`,
  end: 'End poll',
  endText: 'Nobody can vote after that.',
  votedAnonymous: 'You voted. The results are shown at the end if at least five people vote.',
  anonymousText:
    'This poll is anonymous: the server keeps no link between you and your vote, and your vote is final. The results are shown at the end if at least five people vote.',
  tooFew: 'Fewer than five people voted, so this anonymous poll shows no results.',
})
