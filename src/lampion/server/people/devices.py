"""What a device is called in the list of one's devices: "Firefox on Linux"."""

from __future__ import annotations

# The first that fits: browsers call themselves by the names of their ancestors, too.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chromium": "Chromium",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def label_of(user_agent: str) -> str:
    """From what the browser says about itself; nothing else of that is kept."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in user_agent), "")
    return f"{browser} · {system}" if browser and system else browser or system
