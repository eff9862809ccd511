#pragma once

#include "etrecord/record.h"
#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

/// A section of a box's details: rows of name and value, or lines of text.
struct DetailSection {
    std::string title;
    std::vector<std::pair<std::string, std::string>> rows{};
    std::string text{};  ///< with line breaks
};

struct BoxInfo {
    std::string title;     ///< "aten.convolution.default"
    std::string subtitle;  ///< "node aten_convolution_default in features.0"
    std::vector<DetailSection> sections;
};

/// Details of a node, a group or a value. `record` may be null; it provides the Python stacks of the nodes
/// with these debug handles in the method's Edge graph.
[[nodiscard]] BoxInfo infoOf(const core::ModelGraph& graph, const DiagramBox& box,
                             const etrecord::Record* record = nullptr, std::string_view method = {});

}  // namespace et::inspector
