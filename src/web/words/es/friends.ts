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
      'Tus amigos siempre están a mano aquí: mira quién está en línea, escribe, llama y crea grupos.',
    ],
    waiting: [
      'No hay solicitudes pendientes',
      'Las solicitudes que envías o recibes esperan aquí hasta que se responden.',
    ],
    blocked: ['No has bloqueado a nadie', 'Quien bloqueas no puede escribirte ni llamarte, y no se le avisa.'],
  },
  nobody: 'No se ha encontrado a nadie',
  nobodyText: 'El nombre de usuario tiene que estar entero. De un nombre visible basta una parte.',
  search: 'Nombre de usuario o nombre visible',
  searchHint: 'Un nombre de usuario entero, o parte de un nombre visible.',
  find: 'Buscar',
  add: 'Añadir amigo',
  accept: 'Aceptar',
  decline: 'Rechazar',
  cancel: 'Cancelar solicitud',
  remove: 'Quitar amigo',
  block: 'Bloquear',
  unblock: 'Desbloquear',
} satisfies typeof friendWords
