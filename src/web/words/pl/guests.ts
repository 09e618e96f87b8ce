// Printed from locales/pl/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Dołącz jako gość',
  name: 'Twoje imię',
  hint: 'Na 24 godziny, bez konta. W tym czasie możesz zrobić z tego stałe konto.',
  keep: 'Zachowaj to konto',
  keepText: 'Jesteś gościem. Wybierz nazwę użytkownika i hasło, a to konto będzie Twoje ze wszystkim, co napiszesz.',
  ends: (time) => `W przeciwnym razie skończy się: ${time}.`,
} satisfies typeof guestWords
