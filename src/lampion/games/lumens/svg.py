def draw_svg(view):
    return "<svg/>"
