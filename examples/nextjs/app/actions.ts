'use server'
import { revalidatePath } from 'next/cache'
import { PostResource } from './api'

/** Runs on the server, outside the store of the page. */
export async function rename(id: string, title: string): Promise<void> {
  await PostResource.partialUpdate({ id }, { title })
  revalidatePath('/')
}
