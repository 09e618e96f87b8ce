// Printed from locales/es/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Secciones',
  home: 'Inicio',
  servers: 'Servidores',
  inbox: 'Bandeja',
  you: 'Tú',
  noServers: 'Todavía no hay servidores',
  noServersText: 'Crea uno, o únete a uno con un enlace de invitación.',
  toCall: (name) => `Volver a la llamada en ${name}`,
  shrinkCall: 'Minimizar la llamada',
} satisfies typeof phoneWords
