// Printed from locales/ar/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'المطالبة برسائلك',
  text: 'الرسائل المستوردة من مكان آخر تصبح لك مع ملفاتها وتفاعلاتها. لا تتغير الأدوار والصلاحيات. لا يمكن التراجع عن هذا.',
  take: 'هذه رسائلي',
  taken: 'ستصبح الرسائل لك خلال دقائق.',
  gone: 'انتهت صلاحية الرابط، أو سبق استخدامه، أو أنه لحساب آخر.',
  go: 'متابعة',
} satisfies typeof importWords
