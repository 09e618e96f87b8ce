// Printed from locales/es/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Entrar como invitado',
  name: 'Tu nombre',
  hint: 'Durante 24 horas, sin cuenta. En ese tiempo puedes convertirlo en una cuenta permanente.',
  keep: 'Conservar esta cuenta',
  keepText:
    'Eres un invitado. Elige un nombre de usuario y una contraseña, y esta cuenta será tuya, con todo lo que has escrito.',
  ends: (time) => `Si no, termina: ${time}.`,
} satisfies typeof guestWords
