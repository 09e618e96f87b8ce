import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Secciones',
  home: 'Inicio',
  servers: 'Servidores',
  inbox: 'Bandeja',
  you: 'Tú',
  noServers: 'Todavía no hay servidores',
  noServersText: 'Crea uno, o únete a uno con un enlace de invitación.',
} satisfies typeof phoneWords
