// Printed from locales/hi/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'हर सदस्य को सूचित करें',
  here: 'हर ऑनलाइन सदस्य को सूचित करें',
  mayNot: 'आपके पास इसका उल्लेख करने की अनुमति नहीं है। यह सादा टेक्स्ट रहेगा',
  role: 'भूमिका',
  people: 'उल्लेख के लिए लोग',
  emoji: 'इमोजी के सुझाव',
} satisfies typeof completionWords
