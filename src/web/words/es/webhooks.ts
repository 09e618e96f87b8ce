// Printed from locales/es/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integraciones',
  title: 'Webhooks',
  hint: 'Un webhook es una URL que permite a otro programa publicar en un canal: Grafana, GitHub o tu propio script.',
  name: 'Nombre del webhook',
  channel: 'Canal',
  make: 'Nuevo webhook',
  none: 'Aún no hay webhooks',
  noneText: 'Crea uno y pega su URL en el otro programa.',
  madeBy: (name) => `de ${name}`,
  url: 'URL del webhook',
  shownOnce:
    'Esta URL solo se muestra una vez. Cualquiera que la tenga puede publicar en el canal: guárdala como una contraseña.',
  suffixes: 'Para el formato de Slack, añádele /slack; para el de GitHub, /github.',
  edit: (name) => `Editar ${name}`,
  close: 'Cerrar',
  rotate: 'Restablecer URL',
  rotateText: 'La URL anterior deja de funcionar al instante. Los programas que la usan necesitan la nueva.',
  delete: (name) => `Eliminar ${name}`,
  deleteText: 'Los programas que usan su URL ya no pueden publicar. Sus mensajes se conservan.',
  mentions: 'Puede mencionar a todos y todos los roles',
  problems: {
    too_many_webhooks: 'Este canal ya tiene 15 webhooks.',
  },
} satisfies typeof webhookWords
