import { resource } from '../rest/resource.ts'
import { Todo } from './contract/Adapter.ts'

/** A list of two pages with one item each. The third page fails. */
export function openPagedTodos(): { readonly endpoint: any; readonly asked: string[] } {
  const asked: string[] = []
  const fetchResponse = (url: string): Promise<Response> => {
    const page = new URL(url, 'http://a.test').searchParams.get('page') ?? '1'
    asked.push(page)
    return page === '3'
      ? Promise.reject(Object.assign(new Error('down'), { status: 400 }))
      : Promise.resolve(Response.json([{ id: page, title: page }]))
  }
  const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
  return { endpoint: getList.extend({ fetchResponse } as never), asked }
}
