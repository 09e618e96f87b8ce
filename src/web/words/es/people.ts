// Printed from locales/es/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'En línea',
    idle: 'Ausente',
    dnd: 'No molestar',
    invisible: 'Invisible',
    offline: 'Desconectado',
  },
  friends: {
    title: 'Amigos',
  },
  profile: {
    open: 'Perfil',
  },
  deletedUser: 'Cuenta eliminada',
} satisfies typeof peopleWords
