// Printed from locales/fr/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `Un message peut contenir 10 fichiers au plus. ${count(n, '# fichier laissé', '# de fichiers laissés', '# fichiers laissés')} de côté.`,
  unnamed: 'fichier',
  interrupted: 'Le téléversement a été interrompu.',
  remove: (name) => `Retirer ${name}`,
  progress: (name) => `Téléversement de ${name}`,
  download: 'Télécharger',
  downloadOne: (name) => `Télécharger ${name}`,
  mark: (name) => `Marquer ${name} comme spoiler`,
  describe: (name) => `Décrire ${name}`,
  description: 'Ce qu’on y voit',
  descriptionHint: 'Lu à voix haute aux personnes qui ne la voient pas, et trouvé par la recherche.',
} satisfies typeof fileWords
