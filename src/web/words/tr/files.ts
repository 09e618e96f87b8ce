// Printed from locales/tr/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { digits } from '../plural.ts'

export default {
  tooMany: (n) => `Bir mesajda en çok 10 dosya olabilir. ${`${digits(n)} dosya dışarıda kaldı`}.`,
  unnamed: 'dosya',
  interrupted: 'Yükleme yarıda kaldı.',
  remove: (name) => `${name} dosyasını kaldır`,
  progress: (name) => `${name} yükleniyor`,
  download: 'İndir',
  downloadOne: (name) => `${name} dosyasını indir`,
  mark: (name) => `${name} dosyasını spoiler olarak işaretle`,
  describe: (name) => `${name} için açıklama yaz`,
  description: 'Ne gösterdiği',
  descriptionHint: 'Görmeyenlere sesli okunur ve aramada bulunur.',
} satisfies typeof fileWords
