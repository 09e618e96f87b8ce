import type { importWords } from '../imports.ts'

export default {
  title: 'Mesajlarını al',
  text:
    'Başka yerden taşınan mesajlar, dosyaları ve tepkileriyle senin olur. Roller ve izinler olduğu ' +
    'gibi kalır. Geri dönüş yoktur.',
  take: 'Bunlar benim',
  taken: 'Birkaç dakika içinde senin olurlar.',
  gone: 'Bağlantının süresi doldu, kullanıldı veya başka bir hesap için.',
  go: 'Devam',
} satisfies typeof importWords
