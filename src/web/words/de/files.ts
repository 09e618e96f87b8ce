// Printed from locales/de/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `Eine Nachricht kann bis zu 10 Dateien enthalten. ${count(n, '# Datei wurde', '# Dateien wurden')} weggelassen.`,
  unnamed: 'Datei',
  interrupted: 'Das Hochladen wurde unterbrochen.',
  remove: (name) => `${name} entfernen`,
  progress: (name) => `${name} wird hochgeladen`,
  download: 'Herunterladen',
  downloadOne: (name) => `${name} herunterladen`,
  mark: (name) => `${name} als Spoiler markieren`,
  describe: (name) => `${name} beschreiben`,
  description: 'Was zu sehen ist',
  descriptionHint: 'Wird Menschen vorgelesen, die es nicht sehen, und von der Suche gefunden.',
} satisfies typeof fileWords
