#include "app/output/size/size_picture.h"

#include "inspector/size/size_plot.h"

#include <fmt/format.h>

#include <vector>

namespace et::output {
namespace {

// In points.
constexpr double mapWidth = 1180;
constexpr inspector::MapCell mapArea{.x = 10, .y = 34, .width = mapWidth - 20, .height = 700};

}  // namespace

std::string sizePicture(const inspector::SizeMap& map, SizeBy by,
                        const inspector::events::ModuleRollUp& modules) {
    const std::vector<inspector::SizeNode> nodes = inspector::sizeTree(map, by, modules);
    const std::vector<inspector::MapCell> cells = inspector::layTreemap(nodes, 0, mapArea);
    const inspector::plot::Frame frame;
    inspector::plot::Scene scene;
    std::string title;
    for (const inspector::SizedFile& file : map.files) {
        title += fmt::format("{}{}, {}", title.empty() ? "" : "; ", file.name, readableBytes(file.bytes));
    }
    scene.text({.x = mapArea.x, .y = 20}, frame.fitted(title, mapArea.width), inspector::plot::inkStyle);
    inspector::addSizes(scene, {.map = map, .nodes = nodes, .cells = cells}, frame.lineHeight);
    return inspector::plot::svgText(scene, mapWidth, mapArea.y + mapArea.height + 10);
}

}  // namespace et::output
