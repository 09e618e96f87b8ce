// Printed from locales/tr/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'

export default {
  kind: 'Sahne',
  make: 'Yeni sahne',
  listen: 'Dinle',
  start: 'Sahneyi başlat',
  startNow: 'Başlat',
  edit: 'Konuyu değiştir',
  end: 'Sahneyi bitir',
  topic: 'Konu',
  noSpeakers: 'Henüz kimse konuşmuyor.',
  audience: (n) => `${digits(n)} dinleyici`,
  showAudience: 'Dinleyicileri göster',
  others: (n) => `ve ${digits(n)} kişi daha`,
  raise: 'El kaldır',
  lower: 'Elini indir',
  place: (n) => `Senden önce ${digits(n)} kişi el kaldırdı`,
  speak: 'Konuş',
  stepDown: 'Sahneden in',
  invited: 'Bir moderatör seni konuşmaya davet ediyor.',
  refuse: 'Hayır, teşekkürler',
  hands: 'Kaldırılan eller',
  noHands: 'Kimse el kaldırmadı.',
  letUp: (name) => `${name} konuşsun`,
  invite: (name) => `Konuşmaya davet et: ${name}`,
  sendDown: (name) => `Dinleyicilere taşı: ${name}`,
  lowerHand: (name) => `Elini indir: ${name}`,
  isInvited: 'Davet edildi',
} satisfies typeof stageWords
