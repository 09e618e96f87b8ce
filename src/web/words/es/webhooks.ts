import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integraciones',
  title: 'Webhooks',
  hint: 'Un webhook es una URL con la que otro programa escribe en un canal: Grafana, GitHub, un script tuyo.',
  name: 'Nombre del webhook',
  channel: 'Canal',
  make: 'Nuevo webhook',
  none: 'Aún no hay webhooks',
  noneText: 'Crea uno y pega su URL en el otro programa.',
  madeBy: (name) => `de ${name}`,
  url: 'URL del webhook',
  shownOnce: 'Esta URL se muestra una vez. Quien la tenga puede escribir en el canal: guárdala como una contraseña.',
  suffixes: 'Para el formato de Slack añádele /slack, para el de GitHub /github.',
  edit: (name) => `Cambiar ${name}`,
  close: 'Cerrar',
  rotate: 'Renovar la URL',
  rotateText: 'La URL anterior deja de valer al instante. Los programas que la usan necesitan la nueva.',
  delete: (name) => `Eliminar ${name}`,
  deleteText: 'Los programas que usan su URL ya no pueden escribir. Lo que escribió se queda.',
  mentions: 'Puede mencionar a todos y todos los roles',
  problems: {
    too_many_webhooks: 'Este canal ya tiene 15 webhooks.',
  },
} satisfies typeof webhookWords
