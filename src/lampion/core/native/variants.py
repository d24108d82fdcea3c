"""The variants of a compiled module, and which of them this processor can run."""

from __future__ import annotations

import sys

from lampion.core.native.targets import here

CHECKED = "checked"
_V3_FLAGS = frozenset(["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"])
"""What a processor has to have for the faster variant, as Linux calls it."""


def best_variant() -> str:
    """The fastest variant that this very processor can run."""
    processor = here().processor
    return "x86_64_v3" if processor == "x86_64" and _is_v3() else processor


def _is_v3() -> bool:
    try:
        if sys.platform == "linux":
            with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
                flags = next((line for line in file if line.startswith("flags")), "")
            return set(flags.split()) >= _V3_FLAGS
        return _has_avx2()
    except OSError:
        return False


def _has_avx2() -> bool:
    """Elsewhere the system is asked for AVX2, which came to processors together with the rest."""
    import ctypes

    if sys.platform == "win32":
        avx2 = 40
        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(avx2))
    answer, size = ctypes.c_int(0), ctypes.c_size_t(4)
    system = ctypes.CDLL(None)
    failed = system.sysctlbyname(
        b"hw.optional.avx2_0", ctypes.byref(answer), ctypes.byref(size), None, 0
    )
    return not failed and answer.value == 1
