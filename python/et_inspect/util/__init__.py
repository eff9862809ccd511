"""Module paths of ``executorch.util``."""
