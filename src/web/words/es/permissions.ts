import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'General',
    messages: 'Mensajes',
    threads: 'Hilos',
    voice: 'Voz',
    people: 'Personas',
    server: 'Llevar el servidor',
    administrator: 'Todo',
  },
  allowed: (n, all) => `${n} de ${all} permitidos`,
  set: (n) => (n === 0 ? 'Como en el nivel superior' : `${n} puestos aquí`),
  inServer: (isAllowed) => (isAllowed ? 'Como en el servidor: permitido' : 'Como en el servidor: no permitido'),
  private: 'Canal privado',
  privateOn: 'Solo lo ven el propietario, los administradores y los roles de abajo.',
  privateOff: 'Lo ven todos los miembros.',
  privateHint: 'Solo lo ven el propietario y los administradores, hasta que elijas roles en sus ajustes.',
  whoSees: 'Quién lo ve',
  noRoles: 'No hay ningún rol por debajo del tuyo que elegir.',
  choices: {
    deny: 'Denegar',
    inherit: 'Como en el nivel superior',
    allow: 'Permitir',
  },
} satisfies typeof permissionWords
