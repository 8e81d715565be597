'use client'
export { getImage } from './getImage.ts'
export { Img, type ImgProps } from './Img.ts'
