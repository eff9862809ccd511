#include "inspector/plot/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::inspector::plot {

void Scene::line(Point from, Point to, const Style& style, bool clipped) {
    marks.push_back({.shape = Path{.points = {from, to}}, .style = style, .clipped = clipped});
}

void Scene::text(Point at, std::string text, const Style& style, TextAnchor anchor) {
    marks.push_back({.shape = Text{.at = at, .text = std::move(text), .anchor = anchor}, .style = style});
}

std::optional<std::size_t> Scene::itemAt(Point at, double reach) const {
    std::optional<std::size_t> found;
    std::pair nearest(reach, std::hypot(area.width, area.height));
    for (std::size_t i = 0; i < items.size(); ++i) {
        const double toCentre = std::hypot(items[i].at.x - at.x, items[i].at.y - at.y);
        const std::pair distance(std::max(toCentre - items[i].radius, 0.0), toCentre);
        if (distance <= nearest) {
            nearest = distance;
            found = i;
        }
    }
    return found;
}

}  // namespace et::inspector::plot
