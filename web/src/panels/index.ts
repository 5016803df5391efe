// The panels of the workbench, in the order of their tabs.
import type { Panel } from "./panel";

export const PANELS: Panel[] = [];
