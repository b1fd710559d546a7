"""A simulated simulation: matches of people who are fast, slow, gone or come back, on a clock moved by hand."""
