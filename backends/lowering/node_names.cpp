#include "backends/lowering/node_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::backends::lowering {
namespace {

bool isBelow(std::string_view module, std::string_view wanted) {
    return module.starts_with(wanted) && (module.size() == wanted.size() || module[wanted.size()] == '.');
}

bool isNamed(const etrecord::Node& node, std::string_view wanted) {
    return node.name == wanted || node.op == wanted ||
           std::ranges::any_of(node.moduleStack, [&](const etrecord::ModuleFrame& frame) {
               return !frame.fqn.empty() && isBelow(frame.fqn, wanted);
           });
}

}  // namespace

bool NodeNames::has(const etrecord::Node& node) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (isNamed(node, names[i])) {
            found[i] = true;
            any = true;
        }
    }
    return any;
}

bool NodeNames::has(std::string_view name) {
    const auto place = std::ranges::find(names, name);
    if (place == names.end()) {
        return false;
    }
    found[static_cast<std::size_t>(place - names.begin())] = true;
    return true;
}

core::Result<> NodeNames::requireAll() const {
    const auto missing = std::ranges::find(found, false);
    return missing == found.end()
               ? core::Result<>()
               : core::fail(
                     core::ErrorCode::NotFound,
                     fmt::format("no node, operator or module of the Edge graphs is called \"{}\"",
                                 core::printable(names[static_cast<std::size_t>(missing - found.begin())])));
}

}  // namespace et::backends::lowering
