import '@angular/compiler'
import {
  type ApplicationRef,
  Component,
  type EnvironmentProviders,
  type Provider,
  provideZonelessChangeDetection,
  type Type,
} from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import { tick } from '../../src/testing/TestClock.ts'

export interface MountedApp<T> {
  readonly app: ApplicationRef
  readonly instance: T
  readonly element: HTMLElement
  readonly text: () => string
}

let count = 0

type Providers = readonly (Provider | EnvironmentProviders)[]

/** Starts an app of one component. */
export async function mountApp<T extends object>(
  template: string,
  Class: Type<T>,
  providers: Providers,
  options: Partial<Component> = {},
  checks: EnvironmentProviders = provideZonelessChangeDetection(),
): Promise<MountedApp<T>> {
  const selector = `app-page-${++count}`
  Component({ selector, template, ...options })(Class)
  const app = await createApplication({ providers: [checks, ...providers] })
  const element = document.body.appendChild(document.createElement(selector))
  const { instance } = app.bootstrap(Class, element)
  await settle()
  return { app, instance, element, text: () => element.textContent.trim() }
}

/** Does something, and lets Angular render, which it does in a task of its own. */
export async function settle<T>(run?: () => T | Promise<T>): Promise<T> {
  const value = await run?.()
  for (let turn = 0; turn < 3; turn++) {
    await tick()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return value as T
}
