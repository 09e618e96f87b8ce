// Printed from locales/de/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Umfrage',
  question: 'Frage',
  questionExample: 'Welcher Tag passt dir?',
  answer: (n) => `Antwort ${digits(n)}`,
  addAnswer: 'Antwort hinzufügen',
  duration: 'Endet nach',
  span: (seconds) => spanOf(seconds),
  multiple: 'Mehrere Antworten erlauben',
  anonymous: 'Anonym',
  promise:
    'Der Server speichert keine Verbindung zwischen Personen und ihren Stimmen. Stimmen sind endgültig, und die Ergebnisse erscheinen am Ende, ab fünf Abstimmenden.',
  send: 'Umfrage senden',
  chooseOne: 'Wähle eine Antwort',
  chooseSeveral: 'Wähle eine oder mehrere Antworten',
  vote: 'Abstimmen',
  change: 'Stimme ändern',
  results: 'Ergebnisse anzeigen',
  back: 'Zurück zu den Antworten',
  voters: (n) => count(n, '# Person hat abgestimmt', '# Personen haben abgestimmt'),
  share: ({ n, percent }) => `${count(n, '# Stimme', '# Stimmen')}, ${digits(percent)} %`,
  who: 'Zeigen, wer dafür gestimmt hat',
  votersOf: (answer) => `Stimmen für ${answer}`,
  yours: 'Deine Stimme',
  ends: (time) => `Endet ${time}`,
  ended: (time) => `Beendet ${time}`,
  end: 'Umfrage beenden',
  endText: 'Danach kann niemand mehr abstimmen.',
  votedAnonymous: 'Du hast abgestimmt. Die Ergebnisse erscheinen am Ende, ab fünf Abstimmenden.',
  anonymousText:
    'Diese Umfrage ist anonym: Der Server speichert keine Verbindung zwischen dir und deiner Stimme, und sie ist endgültig. Die Ergebnisse erscheinen am Ende, ab fünf Abstimmenden.',
  tooFew: 'Weniger als fünf Personen haben abgestimmt, deshalb zeigt diese anonyme Umfrage keine Ergebnisse.',
} satisfies typeof pollWords
