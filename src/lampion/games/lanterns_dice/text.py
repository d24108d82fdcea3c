def draw_text(view):
    return ""
