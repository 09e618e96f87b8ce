// Printed from locales/fr/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Autocollants',
  emojiTab: 'Émojis',
  picturesTab: 'Images',
  kinds: 'Types',
  search: 'Chercher des autocollants',
  none: 'Aucun autocollant ne correspond.',
  nothing: 'Tu ne peux envoyer aucun autocollant ici.',
  send: ({ name, alt }) => `Envoyer l’autocollant ${name} : ${alt}`,
  gone: 'Cet autocollant n’existe plus.',
  hint: 'PNG, APNG, WebP ou GIF de 512 Kio au plus. Les images de plus de 320 pixels sont réduites.',
  upload: 'Téléverser une image',
  name: 'Nom de l’autocollant',
  alt: 'Description',
  altHint: 'Ce que montre l’image, pour les personnes qui ne la voient pas',
  space: ({ used, max }) => `Les images et les sons de ce serveur occupent ${used} sur ${max}.`,
  edit: (name) => `Modifier ${name}`,
  delete: (name) => `Supprimer ${name}`,
  deleteText: 'Plus personne ne peut l’envoyer. Il reste visible dans les messages.',
  empty: 'Pas encore d’autocollants',
  emptyText: 'Téléverse une image, nomme-la et décris-la. Tous les membres peuvent l’envoyer.',
  counted: ({ n, max }) => `${n} sur ${max}`,
  problems: {
    too_many_stickers: 'Ce serveur a déjà 60 autocollants. Supprimes-en un d’abord.',
    too_many_bytes:
      'Les images et les sons de ce serveur ne lui laissent pas de place. Supprime d’abord un autocollant, un émoji ou un son.',
  },
  pictures: {
    keep: 'Garder l’image',
    kept: 'Image gardée. Tu la retrouves là où tu choisis les émojis.',
    send: (name) => `Envoyer ${name}`,
    remove: (name) => `Retirer ${name}`,
    none: 'Pas encore d’images',
    noneText: 'Ouvre une image d’un message et choisis « Garder l’image ». Toi seul vois ce que tu gardes.',
    problems: {
      too_many_favourites: 'Tu gardes déjà 50 images. Retires-en une d’abord.',
      too_many_bytes: 'Tu n’as plus de place pour elle.',
    },
  },
} satisfies typeof stickerWords
