// Printed from locales/es/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Reclama tus mensajes',
  text: 'Los mensajes importados de otro sitio pasan a ser tuyos, con sus archivos y reacciones. Los roles y permisos no cambian. Esto no se puede deshacer.',
  take: 'Estos son míos',
  taken: 'Los mensajes serán tuyos en unos minutos.',
  gone: 'El enlace ha caducado, ya se usó o es para otra cuenta.',
  go: 'Continuar',
} satisfies typeof importWords
