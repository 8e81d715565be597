import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'
import { Faults } from '../panels/faults.ts'
import { knownUser } from './api.ts'
import { CommentResource } from './comments.ts'
import { IssueResource } from './issues.ts'
import { getTicker, Ticker } from './ticker.ts'

/**
 * The writes that survive the train tunnel: shown at once, saved, and sent in order when the server can be reached. Others need its
 * response at once, and fail without one.
 */
export const sending = outbox({
  endpoints: {
    'issue.move': IssueResource.getList.move,
    'issue.describe': IssueResource.setDescription,
    'comment.create': CommentResource.create,
    'comment.update': CommentResource.partialUpdate,
    'comment.delete': CommentResource.delete,
  },
})

/** Keeps what was loaded, for the user who has loaded it. Data that lasts seconds is not worth keeping. */
export const disk = persist({ name: 'tracker', user: knownUser, exclude: [Faults, Ticker, getTicker] })

/** The other windows of this user show what one of them changes or loads. */
export const windows = tabs()
