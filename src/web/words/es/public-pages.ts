// Printed from locales/es/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Páginas públicas',
  server: 'Los canales de este servidor pueden ser públicos',
  serverText: 'Elige canales y foros en sus ajustes. Sin eso, nada es público.',
  indexed: 'Los buscadores pueden mostrarlas',
  channel: 'Cualquiera lee este canal, sin cuenta',
  channelText: 'Se omiten los mensajes de miembros retenidos y de quienes se unieron en las últimas 24 horas.',
  serverOff: 'Primero permite páginas públicas en los ajustes del servidor.',
  older: 'También lo escrito antes',
  olderText: ({ people, messages }) => `Personas que escribieron aquí: ${people}. Sus mensajes: ${messages}.`,
  open: 'Abrir la página pública',
  here: 'Cualquiera puede leer lo que se escribe aquí, sin cuenta.',
  name: 'Las páginas públicas muestran mi nombre',
  nameText: 'Si no, te llaman «A member».',
} satisfies typeof publicWords
