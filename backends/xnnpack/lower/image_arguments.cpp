#include "backends/xnnpack/lower/image_arguments.h"

#include "backends/lowering/edge_method.h"
#include "backends/lowering/node_arguments.h"

#include <algorithm>

namespace et::backends::xnnpack {

using etrecord::Node;

std::optional<Numbers> pairArgument(const Node& node, std::string_view name, const Numbers& otherwise) {
    if (lowering::findArgument(node, name) == nullptr) {
        return otherwise;
    }
    auto numbers = lowering::integersArgument(node, name);
    if (numbers && numbers->empty()) {
        return otherwise;
    }
    if (numbers && numbers->size() == 1) {
        numbers->push_back(numbers->front());
    }
    const bool fits = numbers && numbers->size() == 2 &&
                      std::ranges::all_of(*numbers, [](std::int64_t number) { return number >= 0; });
    return fits ? numbers : std::nullopt;
}

HeightWidth both(const Numbers& numbers) {
    return {.height = static_cast<std::uint32_t>(numbers[0]),
            .width = static_cast<std::uint32_t>(numbers[1])};
}
ImagePadding around(const Numbers& numbers) {
    const HeightWidth sides = both(numbers);
    return {.top = sides.height, .right = sides.width, .bottom = sides.height, .left = sides.width};
}

}  // namespace et::backends::xnnpack
