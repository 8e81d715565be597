'use client'
import { type Context, createContext } from 'react'
import type { Controller } from '../controller/Controller.ts'

/**
 * Where hooks find the Controller of the nearest provider.
 *
 * @example
 * const controller = useContext(ControllerContext)
 * @see docs/api/DataProvider.md#controllercontext
 */
export const ControllerContext: Context<Controller | null> = /* @__PURE__ */ createContext<Controller | null>(null)
