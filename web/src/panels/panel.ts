// How a panel is made known: one object, listed in `panels/index.ts`.
import type { ComponentType } from "preact";
import type { Subject } from "../protocol";
import type { Store } from "../store";

/** What a panel is given. */
export interface PanelProps {
  /** The model that is open, as it stands in the editor now; null where none is. It is a new object after every change. */
  subject: Subject | null;
  store: Store;
}

export interface Panel {
  id: string;
  /** On its tab. */
  title: string;
  /** What it is for, where there is nothing to show yet and for the tooltip of its tab. */
  about: string;
  /** It stays mounted while another panel is shown, so it keeps what it has. Never rendered before it was first opened. */
  component: ComponentType<PanelProps>;
  /** Works without a model, as the audit does. */
  needsNoSubject?: boolean;
}
