//! Between two programs that talk: every byte goes on unchanged and in order, is recorded, and judged as it passes.
