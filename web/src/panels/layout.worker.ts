// The thread that lays graphs out, so that the page stays fluid meanwhile.
import { lay, type LayoutInput } from "./graph/layout";

interface Scope { onmessage: ((event: MessageEvent<{ id: number; input: LayoutInput }>) => void) | null; postMessage(message: unknown): void }

const scope = globalThis as unknown as Scope;
scope.onmessage = ({ data }) => {
  scope.postMessage({ id: data.id, laid: lay(data.input) });
};
