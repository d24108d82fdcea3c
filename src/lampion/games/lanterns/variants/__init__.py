"""Variants of Lanterns, one file each; `lampion.core.variants` finds them."""
