// A link that carries a small model in itself: its text, compressed, after the `#`, which browsers never send to a server.
import type { Language } from "./protocol";

export interface Carried { path: string; language: Language; text: string; beside?: Record<string, string>; parameters?: Record<string, number> }

/** Longer links are cut by mail programs and chats. */
export const LONGEST_LINK = 16_000;
/** No link may unpack to more than this. */
export const LARGEST_MODEL = 1_000_000;

const NAME = "model=";

export class LinkError extends Error {}

/** The part after `#`. Throws where the model is too large for a link. */
export async function toFragment(carried: Carried): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(carried));
  const packed = await collect(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  const fragment = NAME + toBase64(packed);
  if (fragment.length > LONGEST_LINK) {
    throw new LinkError(`The link would have ${fragment.length} characters; more than ${LONGEST_LINK} do not survive mail and chats. Share the file instead.`);
  }
  return fragment;
}

/** The model of a fragment; null where it carries none. Throws where what it carries cannot be read. */
export async function fromFragment(fragment: string): Promise<Carried | null> {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(NAME)) return null;
  let value: unknown;
  try {
    const packed = fromBase64(text.slice(NAME.length));
    const bytes = await collect(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")), LARGEST_MODEL);
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("The model in this link cannot be read: a part of the link is missing, or it was changed.");
  }
  if (!isCarried(value)) throw new LinkError("What this link carries is no model.");
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function isCarried(value: unknown): value is Carried {
  return isRecord(value)
    && typeof value.path === "string" && typeof value.text === "string"
    && (value.language === "pact" || value.language === "ispl" || value.language === "ccs")
    && (value.beside === undefined || isRecord(value.beside) && Object.values(value.beside).every((text) => typeof text === "string"))
    && (value.parameters === undefined || isRecord(value.parameters) && Object.values(value.parameters).every((number) => typeof number === "number"));
}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new LinkError(`The model in this link is larger than ${most} bytes.`);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
