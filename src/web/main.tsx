import { render } from 'preact'
import { loadWords } from './words/load.ts'
import { connectAccount, kept } from './state/session.ts'
import { App } from './ui/shell/app.tsx'

// Load the language first, so that the page does not start in English. Words that fail to load stay English.
void loadWords()
  .catch(() => {})
  .then(() => {
    const root = document.getElementById('app')
    if (root) render(<App />, root)
    void import('./ui/kit/keep-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
  })
// Private windows of some browsers keep nothing.
kept.do = (what) => import('./device/snapshot.ts').then((device) => device[what]()).catch(() => {})
void connectAccount()
void kept.do('restoreUnlessAnswered')
