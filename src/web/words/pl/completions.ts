// Printed from locales/pl/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Powiadom wszystkich członków',
  here: 'Powiadom wszystkich członków online',
  mayNot: 'Nie masz uprawnień, aby to wspomnieć. Zostanie zwykłym tekstem',
  role: 'rola',
  people: 'Osoby do wzmianki',
  emoji: 'Podpowiedzi emoji',
} satisfies typeof completionWords
