// Printed from locales/es/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Menú de ${name}`,
  write: 'Enviar un mensaje',
  accept: 'Aceptar solicitud de amistad',
  read: 'Marcar como leído',
  notifications: 'Notificaciones…',
  copyLink: 'Copiar enlace',
  settings: 'Ajustes…',
  events: 'Eventos',
  hide: 'Ocultar conversación',
  deleteChannel: 'Eliminar canal',
  deleteCategory: 'Eliminar categoría',
  moveTo: 'Mover a…',
  serverSettings: 'Ajustes del servidor',
  leaveServer: 'Salir del servidor',
  leaveServerText: (name) => `Necesitarás otra invitación para volver a ${name}.`,
} satisfies typeof menuWords
