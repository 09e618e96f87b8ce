// Printed from locales/es/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `Un mensaje puede llevar hasta 10 archivos. ${count(n, 'Se ha omitido # archivo', 'Se han omitido # de archivos', 'Se han omitido # archivos')}.`,
  unnamed: 'archivo',
  interrupted: 'La subida se ha interrumpido.',
  remove: (name) => `Quitar ${name}`,
  progress: (name) => `Subiendo ${name}`,
  download: 'Descargar',
  downloadOne: (name) => `Descargar ${name}`,
  mark: (name) => `Marcar ${name} como spoiler`,
  describe: (name) => `Describir ${name}`,
  description: 'Qué muestra',
  descriptionHint: 'Se lee en voz alta a quienes no la ven y la encuentra la búsqueda.',
} satisfies typeof fileWords
