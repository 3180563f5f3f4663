//! Accepts connections, limits them, knows how to cancel and drain.
