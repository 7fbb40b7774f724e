//! The IR as text: what `--dump ir` prints and what engine tests are written in.
