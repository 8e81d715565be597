import { findTask } from '$lib/server/tasks'
import { json } from '@sveltejs/kit'

export const GET = ({ params: { id } }) => json(findTask(id))

export const PATCH = async ({ params: { id }, request }) => json(Object.assign(findTask(id), await request.json()))
