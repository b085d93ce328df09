"""Internal helpers shared by all layers."""
