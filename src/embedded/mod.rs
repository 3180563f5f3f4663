//! The agents' offline minds: linking, clause detection, planning, rendering, correction.
