// Printed from locales/fr/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Récupère tes messages',
  text: 'Les messages importés d’ailleurs deviennent les tiens, avec leurs fichiers et réactions. Les rôles et permissions ne changent pas. C’est irréversible.',
  take: 'Ce sont les miens',
  taken: 'Les messages seront à toi d’ici quelques minutes.',
  gone: 'Le lien a expiré, a déjà servi ou est destiné à un autre compte.',
  go: 'Continuer',
} satisfies typeof importWords
