//! What is known of a model by arithmetic alone.

mod flows;
