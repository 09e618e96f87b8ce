// Printed from locales/pt/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'Online',
    idle: 'Ausente',
    dnd: 'Não perturbe',
    invisible: 'Invisível',
    offline: 'Offline',
  },
  friends: {
    title: 'Amigos',
  },
  profile: {
    open: 'Perfil',
  },
  deletedUser: 'Conta excluída',
} satisfies typeof peopleWords
