// Printed from locales/tr/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Çıkartmalar',
  emojiTab: 'Emojiler',
  picturesTab: 'Resimler',
  kinds: 'Türler',
  search: 'Çıkartma ara',
  none: 'Eşleşen çıkartma yok.',
  nothing: 'Burada gönderebileceğin çıkartma yok.',
  send: ({ name, alt }) => `${name} çıkartmasını gönder: ${alt}`,
  gone: 'Bu çıkartma artık yok.',
  hint: 'En çok 512 KiB PNG, APNG, WebP veya GIF. 320 pikselden büyük resimler küçültülür.',
  upload: 'Resim yükle',
  name: 'Çıkartmanın adı',
  alt: 'Açıklama',
  altHint: 'Resmi görmeyenler için resimde ne olduğu',
  space: ({ used, max }) => `Bu sunucunun resimleri ve sesleri ${max} alanın ${used} kadarını kaplıyor.`,
  edit: (name) => `${name} çıkartmasını düzenle`,
  delete: (name) => `${name} çıkartmasını sil`,
  deleteText: 'Artık kimse gönderemez. Mesajlarda görünür kalır.',
  empty: 'Henüz çıkartma yok',
  emptyText: 'Bir resim yükle, ad ver ve açıkla. Her üye onu gönderebilir.',
  counted: ({ n, max }) => `${n} / ${max}`,
  problems: {
    too_many_stickers: 'Bu sunucuda zaten 60 çıkartma var. Önce birini sil.',
    too_many_bytes: 'Bu sunucunun resimleri ve sesleri buna yer bırakmıyor. Önce bir çıkartma, emoji veya ses sil.',
  },
  pictures: {
    keep: 'Resmi sakla',
    kept: 'Resim saklandı. Emoji seçtiğin yerde bulursun.',
    send: (name) => `${name} gönder`,
    remove: (name) => `${name} kaldır`,
    none: 'Henüz resim yok',
    noneText: 'Bir mesajdaki resmi aç ve “Resmi sakla”yı seç. Sakladıklarını yalnızca sen görürsün.',
    problems: {
      too_many_favourites: 'Zaten 50 resim saklıyorsun. Önce birini kaldır.',
      too_many_bytes: 'Bunun için yerin kalmadı.',
    },
  },
} satisfies typeof stickerWords
