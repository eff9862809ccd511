#include "runtime/builder/detail/pytree.h"

#include <fmt/format.h>

#include <string_view>

namespace et::builder::detail {
namespace {

std::string leaves(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text +=
            fmt::format(R"({}{{"type": null, "context": null, "children_spec": []}})", i == 0 ? "" : ", ");
    }
    return text;
}

std::string formatTuple(std::string_view children) {
    return fmt::format(R"({{"type": "builtins.tuple", "context": "null", "children_spec": [{}]}})", children);
}

}  // namespace

std::string flatInputTree(std::size_t count) {
    constexpr std::string_view noKeywords =
        R"({"type": "builtins.dict", "context": "[]", "children_spec": []})";
    return fmt::format("[1, {}]", formatTuple(fmt::format("{}, {}", formatTuple(leaves(count)), noKeywords)));
}

std::string flatOutputTree(std::size_t count) {
    return fmt::format("[1, {}]", count == 1 ? leaves(1) : formatTuple(leaves(count)));
}

}  // namespace et::builder::detail
