import { leaveNothing } from './support/reaper.ts'

leaveNothing()
