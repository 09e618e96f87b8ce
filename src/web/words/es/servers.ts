// Printed from locales/es/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Servidores',
    add: 'Añadir un servidor',
    name: 'Nombre del servidor',
    viewedAs: (role) =>
      role === undefined
        ? 'Estás viendo el servidor como un miembro sin roles.'
        : `Estás viendo el servidor como ${role}.`,
    stopViewing: 'Parar',
    gone: (name) => `${name} se ha eliminado.`,
  },
  channels: {
    browse: 'Explorar canales',
    list: 'Canales',
    private: ', privado',
    text: 'Texto',
    voice: 'Voz',
    none: 'Aún no hay nada que ver',
    noneText: 'Tus roles no te dejan ver ningún canal. Un moderador del servidor puede cambiarlo.',
    noneToMake: 'Las conversaciones ocurren en canales. Crea el primero.',
    addTopic: 'Añadir un tema',
    outside: 'Sin categoría',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} está ahora en la posición ${place}.`
        : `${name} está ahora en la posición ${place} de ${category}.`,
    moveHint: 'Pulsa Alt y una flecha para moverlo.',
    addTo: (name) => `Nuevo canal en ${name}`,
    make: {
      text: 'Nuevo canal de texto',
      voice: 'Nuevo canal de voz',
      category: 'Nueva categoría',
    },
    settings: (name) => `Ajustes de ${name}`,
    taken: ({ n, limit }) => `${digits(n)} de ${digits(limit)} personas`,
  },
  invite: {
    people: 'Invitar a gente',
  },
} satisfies typeof serverWords
