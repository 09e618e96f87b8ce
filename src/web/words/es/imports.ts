import type { importWords } from '../imports.ts'

export default {
  title: 'Recupera tus mensajes',
  text:
    'Los mensajes traídos de otro sitio pasan a ser tuyos, con sus archivos y reacciones. Los roles y ' +
    'permisos se quedan como están. No hay vuelta atrás.',
  take: 'Son míos',
  taken: 'Serán tuyos en unos minutos.',
  gone: 'El enlace ha caducado, ya se usó o es de otra cuenta.',
  go: 'Continuar',
} satisfies typeof importWords
