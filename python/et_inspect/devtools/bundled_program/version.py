"""The version of the schema of bundled programs."""

BUNDLED_PROGRAM_SCHEMA_VERSION = 2
