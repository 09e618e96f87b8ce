// Printed from locales/fr/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Rejoindre comme invité',
  name: 'Ton nom',
  hint: 'Pour 24 heures, sans compte. Pendant ce temps, tu peux en faire un compte permanent.',
  keep: 'Garder ce compte',
  keepText:
    'Tu es invité. Choisis un nom d’utilisateur et un mot de passe, et ce compte est à toi, avec tout ce que tu as écrit.',
  ends: (time) => `Sinon, il prend fin : ${time}.`,
} satisfies typeof guestWords
