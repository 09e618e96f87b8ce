// Printed from locales/es/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Amigo',
    pending_incoming: 'quiere ser tu amigo',
    pending_outgoing: 'Solicitud enviada',
    blocked: 'Bloqueado',
  },
  tabs: {
    friends: 'Amigos',
    waiting: 'Solicitudes',
    blocked: 'Bloqueados',
    find: 'Buscar personas',
  },
  none: {
    friends: [
      'Todavía no tienes amigos',
      'Añade amigos para ver quién está en línea, escribirles, llamarlos y crear grupos.',
    ],
    waiting: [
      'No hay solicitudes pendientes',
      'Las solicitudes de amistad que envías o recibes aparecen aquí hasta que se responden.',
    ],
    blocked: [
      'No has bloqueado a nadie',
      'Las personas que bloqueas no pueden escribirte ni llamarte. No reciben ningún aviso.',
    ],
  },
  nobody: 'No se ha encontrado a nadie',
  nobodyText: 'Escribe un nombre de usuario completo o parte de un nombre visible.',
  search: 'Nombre de usuario o nombre visible',
  searchHint: 'Un nombre de usuario completo o parte de un nombre visible.',
  find: 'Buscar',
  add: 'Añadir amigo',
  accept: 'Aceptar',
  decline: 'Rechazar',
  cancel: 'Cancelar solicitud',
  remove: 'Quitar amigo',
  block: 'Bloquear',
  unblock: 'Desbloquear',
  messageRequests: {
    title: 'Solicitudes de mensajes',
    text: (name) =>
      `${name} quiere escribirte. No sabrá si lo has leído. Si respondes o aceptas, podrá escribirte como cualquiera que conozcas.`,
    hint: 'Aquí esperan los mensajes de personas que no conoces. No te avisan de nada y sus imágenes están cubiertas.',
    ignore: 'Ignorar',
    ignored: 'Ignorada',
    none: 'No hay solicitudes de mensajes',
  },
} satisfies typeof friendWords
