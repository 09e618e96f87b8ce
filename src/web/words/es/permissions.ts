// Printed from locales/es/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'General',
    messages: 'Mensajes',
    threads: 'Hilos',
    voice: 'Voz',
    people: 'Personas',
    server: 'Gestión del servidor',
    administrator: 'Todo',
  },
  allowed: ({ n, all }) => `${n} de ${all} permitidos`,
  set: (n) => (n === 0 ? 'Heredados' : `${n} definidos aquí`),
  inServer: (isAllowed) => (isAllowed ? 'Heredado del servidor: permitido' : 'Heredado del servidor: no permitido'),
  private: 'Canal privado',
  privateOn: 'Solo pueden verlo el propietario, los administradores y los roles de abajo.',
  privateOff: 'Todos los miembros pueden verlo.',
  privateHint: 'Solo pueden verlo el propietario y los administradores hasta que elijas roles en sus ajustes.',
  whoSees: 'Quién puede verlo',
  noRoles: 'No hay roles por debajo del tuyo para elegir.',
  choices: {
    deny: 'Denegar',
    inherit: 'Heredar',
    allow: 'Permitir',
  },
  moderatorsOnly: 'Solo escriben los moderadores',
  moderatorsOnlyText: 'Todos pueden leer; los roles que gestionan mensajes pueden escribir.',
} satisfies typeof permissionWords
