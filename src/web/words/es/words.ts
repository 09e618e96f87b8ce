// Printed from locales/es/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'
import { count } from './plural.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'Ajustes',
  },
  conversations: 'Conversaciones',
  search: {
    open: 'Buscar mensajes',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Cargando…',
  unreachable: 'No se puede acceder al servidor. Reintentando…',
  reconnecting: 'Conexión perdida. Reconectando…',
  ended: 'Esta ventana ya no está conectada. Recarga la página para continuar.',
  menuUnread: 'Canales y servidores, hay algo sin leer',
  skip: 'Ir a los mensajes',
  menu: 'Canales y servidores',
  tools: 'Más sobre este lugar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  save: 'Guardar',
  saved: 'Guardado',
  copy: 'Copiar',
  copied: 'Copiado',
  notLoaded: 'No se ha podido cargar esta parte de la página. Inténtalo de nuevo o recarga la página.',
  notCopied: 'Tu navegador no ha permitido copiar.',
  more: 'Mostrar más',
  owner: 'propietario',
  bot: 'Bot',
  guest: 'Invitado',
  membersTitle: 'Miembros',
  members: (n) => count(n, '# miembro', '# de miembros', '# miembros'),
  andMore: (n) => `y ${digits(n)} más`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, mensajes sin leer` : name) : `${name}, ${badge(n)} sin leer`,
  draft: 'Borrador',
  withDraft: ', borrador',
  failed: (reason) => `No ha funcionado: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Nombre o contraseña incorrectos.',
    rate_limited: 'Demasiados intentos.',
    invite_gone: 'Esta invitación ha caducado o se ha agotado. Pide otra.',
    not_found: 'Esto no existe, o no tienes acceso.',
    banned: 'Estás baneado de este servidor.',
    storage_full: 'El servidor no tiene más espacio para mensajes y archivos nuevos.',
    offline: 'No se puede acceder al servidor.',
  },
  rules,
} satisfies typeof words
