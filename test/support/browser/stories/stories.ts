import { fromTheRight, provingTwice, settling } from './account.ts'
import { arriving, sendingFiles } from './arriving.ts'
import { offline, restarting, twoTabs } from './connection.ts'
import { reacting, searching, threading, writingDirectly } from './finding.ts'
import { keyboardOnly } from './keyboard.ts'
import type { Story } from './story.ts'

/** Everything without calls that every browser has to do. */
export const stories: Story[] = [
  arriving,
  sendingFiles,
  reacting,
  searching,
  threading,
  writingDirectly,
  settling,
  provingTwice,
  fromTheRight,
  restarting,
  offline,
  twoTabs,
  keyboardOnly,
]
