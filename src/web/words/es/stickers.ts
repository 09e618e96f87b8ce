// Printed from locales/es/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Stickers',
  emojiTab: 'Emojis',
  picturesTab: 'Imágenes',
  kinds: 'Tipos',
  search: 'Buscar stickers',
  none: 'Ningún sticker coincide.',
  nothing: 'Aquí no puedes enviar ningún sticker.',
  send: ({ name, alt }) => `Enviar el sticker ${name}: ${alt}`,
  gone: 'Este sticker ya no existe.',
  hint: 'PNG, APNG, WebP o GIF de 512 KiB como máximo. Las imágenes de más de 320 píxeles se reducen.',
  upload: 'Subir una imagen',
  name: 'Nombre del sticker',
  alt: 'Descripción',
  altHint: 'Lo que muestra la imagen, para quien no la ve',
  space: ({ used, max }) => `Las imágenes y los sonidos de este servidor ocupan ${used} de ${max}.`,
  edit: (name) => `Editar ${name}`,
  delete: (name) => `Eliminar ${name}`,
  deleteText: 'Nadie puede enviarlo ya. Sigue visible en los mensajes.',
  empty: 'Aún no hay stickers',
  emptyText: 'Sube una imagen, ponle nombre y descríbela. Todos los miembros pueden enviarla.',
  counted: ({ n, max }) => `${n} de ${max}`,
  problems: {
    too_many_stickers: 'Este servidor ya tiene 60 stickers. Elimina uno primero.',
    too_many_bytes:
      'Las imágenes y los sonidos de este servidor no dejan sitio para él. Elimina antes un sticker, un emoji o un sonido.',
  },
  pictures: {
    keep: 'Guardar imagen',
    kept: 'Imagen guardada. La encuentras donde eliges emojis.',
    send: (name) => `Enviar ${name}`,
    remove: (name) => `Quitar ${name}`,
    none: 'Aún no hay imágenes',
    noneText: 'Abre una imagen de un mensaje y elige «Guardar imagen». Solo tú ves lo que guardas.',
    problems: {
      too_many_favourites: 'Ya guardas 50 imágenes. Quita una primero.',
      too_many_bytes: 'No te queda espacio para ella.',
    },
  },
} satisfies typeof stickerWords
