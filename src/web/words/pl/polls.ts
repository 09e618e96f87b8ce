// Printed from locales/pl/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Ankieta',
  question: 'Pytanie',
  questionExample: 'Który dzień ci pasuje?',
  answer: (n) => `Odpowiedź ${digits(n)}`,
  addAnswer: 'Dodaj odpowiedź',
  duration: 'Kończy się po',
  span: (seconds) => spanOf(seconds),
  multiple: 'Zezwalaj na kilka odpowiedzi',
  anonymous: 'Anonimowa',
  promise:
    'Serwer nie przechowuje powiązania między osobami a ich głosami. Głosy są ostateczne, a wyniki widać na końcu, od pięciu głosujących.',
  send: 'Wyślij ankietę',
  chooseOne: 'Wybierz jedną odpowiedź',
  chooseSeveral: 'Wybierz co najmniej jedną odpowiedź',
  vote: 'Zagłosuj',
  change: 'Zmień głos',
  results: 'Pokaż wyniki',
  back: 'Wróć do odpowiedzi',
  voters: (n) => count(n, 'Zagłosowała # osoba', 'Zagłosowały # osoby', 'Zagłosowało # osób', 'Zagłosowało # osoby'),
  share: ({ n, percent }) => `${count(n, '# głos', '# głosy', '# głosów', '# głosu')}, ${digits(percent)} %`,
  who: 'Pokaż, kto tak zagłosował',
  votersOf: (answer) => `Głosy na ${answer}`,
  yours: 'Twój głos',
  ends: (time) => `Koniec: ${time}`,
  ended: (time) => `Zakończono: ${time}`,
  end: 'Zakończ ankietę',
  endText: 'Potem nikt nie będzie mógł głosować.',
  votedAnonymous: 'Zagłosowano. Wyniki widać na końcu, od pięciu głosujących.',
  anonymousText:
    'Ta ankieta jest anonimowa: serwer nie przechowuje powiązania między tobą a twoim głosem, a głos jest ostateczny. Wyniki widać na końcu, od pięciu głosujących.',
  tooFew: 'Zagłosowało mniej niż pięć osób, więc ta anonimowa ankieta nie pokazuje wyników.',
} satisfies typeof pollWords
